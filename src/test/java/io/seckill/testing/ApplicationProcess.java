package io.seckill.testing;

import io.seckill.embedded.EmbeddedServers;
import io.seckill.embedded.Ports;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * The application in a JVM of its own, to be killed: what runs is the code under test, without the
 * test classes. Properties and ports stay the same over {@link #kill} and {@link #start}.
 */
public final class ApplicationProcess implements AutoCloseable {
  private static final int LIMIT_SECONDS = 120;
  private static final int PROBE_MILLIS = 1_000;

  private final Path directory;
  private final Map<String, String> properties;
  private final List<String> command;
  private final Map<String, String> environment = new LinkedHashMap<>();
  private Path workingDirectory = Path.of("").toAbsolutePath();
  private Process process;
  private int starts;

  private ApplicationProcess(Path directory, Map<String, String> properties, List<String> command) {
    this.directory = directory.toAbsolutePath();
    this.properties = properties;
    this.command = command;
  }

  /** An application with embedded servers under {@code directory/data}; not started yet. */
  public static ApplicationProcess embedded(Path directory, Map<String, String> overrides) {
    Map<String, String> properties = commonProperties();
    properties.put("seckill.backends", "embedded");
    properties.put("seckill.data-dir", directory.toAbsolutePath().resolve("data").toString());
    properties.put("seckill.embedded.redis-port", "0");
    properties.put("seckill.embedded.kafka-port", "0");
    properties.put("seckill.embedded.mysql-port", "0");
    properties.putAll(overrides);
    return new ApplicationProcess(directory, properties, java(properties, fromClasspath()));
  }

  /**
   * An application with embedded servers, from copies of its classes and libraries that every user
   * may read; not started yet. Data lies in the working directory.
   *
   * @param directory that every user may enter
   */
  public static ApplicationProcess embeddedForAll(Path directory, Map<String, String> overrides)
      throws IOException {
    Map<String, String> properties = commonProperties();
    properties.putAll(overrides);
    List<String> copies = new ArrayList<>();
    for (String entry : testedClasspath()) {
      Path original = Path.of(entry);
      Path copy = directory.resolve(copies.size() + "-" + original.getFileName());
      Copies.of(original, copy);
      copies.add(copy.toString());
    }
    return new ApplicationProcess(
        directory,
        properties,
        java(
            properties,
            List.of(
                "-cp", String.join(File.pathSeparator, copies), "io.seckill.SeckillApplication")));
  }

  /** An application on {@link TestServers}, in minimal mode on MySQL alone; not started yet. */
  public static ApplicationProcess external(Path directory, Map<String, String> overrides) {
    Map<String, String> properties = commonProperties();
    properties.putAll(TestServers.get().properties());
    properties.put("seckill.backends", "external");
    properties.put("seckill.admin.token", "test-admin-token");
    properties.put("seckill.http.host", "127.0.0.1");
    properties.putAll(overrides);
    if ("minimal".equals(properties.get("seckill.mode"))) {
      properties.keySet().removeAll(List.of("seckill.redis.uri", "seckill.kafka.brokers"));
    }
    return new ApplicationProcess(directory, properties, java(properties, fromClasspath()));
  }

  /** The packaged application with these properties alone; not started yet. */
  public static ApplicationProcess packaged(
      Path directory, Path jar, Map<String, String> properties) {
    return new ApplicationProcess(
        directory,
        new LinkedHashMap<>(properties),
        java(properties, List.of("-jar", jar.toAbsolutePath().toString())));
  }

  /**
   * The README's command in a copy of the checkout; not started yet.
   *
   * @param options as a user types them, {@code -Dseckill.mode=minimal}; ports that no other
   *     application takes come from the environment
   */
  public static ApplicationProcess camelRun(Checkout checkout, String... options) {
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "compile", "camel:run"));
    command.addAll(List.of(options));
    return typed(checkout.directory(), command)
        .workingDirectory(checkout.directory())
        .environment("SECKILL_EMBEDDED_REDIS_PORT", "0")
        .environment("SECKILL_EMBEDDED_KAFKA_PORT", "0")
        .environment("SECKILL_EMBEDDED_MYSQL_PORT", "0");
  }

  /** What a document shows to be typed, in the project; not started yet. */
  public static ApplicationProcess shown(Path directory, String script) {
    return typed(directory, List.of("bash", "-c", script));
  }

  private static ApplicationProcess typed(Path directory, List<String> command) {
    Map<String, String> ports = commonProperties();
    ApplicationProcess application =
        new ApplicationProcess(directory, ports, new ArrayList<>(command));
    ports.forEach(
        (name, value) ->
            application.environment(
                name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_'), value));
    return application;
  }

  private static Map<String, String> commonProperties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("seckill.http.port", Integer.toString(Ports.free()));
    properties.put("seckill.management.port", Integer.toString(Ports.free()));
    return properties;
  }

  private static List<String> java(Map<String, String> properties, List<String> launcher) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // quick to start rather than quick at its peak
    command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.addAll(launcher);
    return command;
  }

  private static List<String> fromClasspath() {
    return List.of(
        "-cp", String.join(File.pathSeparator, testedClasspath()), "io.seckill.SeckillApplication");
  }

  private static List<String> testedClasspath() {
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(all.split(File.pathSeparator))
        .filter(entry -> !Path.of(entry).endsWith("test-classes"))
        .toList();
  }

  /** Sets an environment variable for the starts to come. */
  public ApplicationProcess environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Runs the command line by another command, such as one that takes rights away. */
  public ApplicationProcess by(String... words) {
    command.addAll(0, List.of(words));
    return this;
  }

  /** Adds words at the end of the command line for the starts to come. */
  public ApplicationProcess arguments(String... words) {
    command.addAll(List.of(words));
    return this;
  }

  /** Sets where the starts to come look for relative paths, by default the project. */
  public ApplicationProcess workingDirectory(Path path) {
    workingDirectory = path.toAbsolutePath();
    return this;
  }

  /** The same command once more, beside this one. */
  public ApplicationProcess again() {
    ApplicationProcess other =
        new ApplicationProcess(directory.resolve("again"), properties, command)
            .workingDirectory(workingDirectory);
    environment.forEach(other::environment);
    return other;
  }

  /** Starts the JVM and returns at once. */
  public ApplicationProcess launch() {
    starts++;
    try {
      Files.createDirectories(directory);
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(workingDirectory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(outputFile().toFile());
      builder.environment().putAll(environment);
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("The application's JVM does not start", e);
    }
    return this;
  }

  /** Starts the JVM and returns once the application takes requests. */
  public ApplicationProcess start() {
    launch();
    try {
      Awaitility.await("the application")
          .atMost(LIMIT_SECONDS, TimeUnit.SECONDS)
          .pollInterval(50, TimeUnit.MILLISECONDS)
          .until(() -> !process.isAlive() || output().contains(" started in "));
    } catch (RuntimeException e) {
      throw new IllegalStateException("The application is not up: " + output(), e);
    }
    if (!process.isAlive()) {
      throw new IllegalStateException("The application ended at its start: " + output());
    }
    return this;
  }

  /** Waits until the application says that it can take orders. */
  public ApplicationProcess awaitReady() {
    Health.awaitUp(managementUrl());
    return this;
  }

  /** SIGKILL: the application has no chance to finish anything. Its Redis and MariaDB go on. */
  public void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /** SIGTERM, and waits until the process has ended by itself. */
  public void terminate() {
    process.destroy();
    awaitExit();
  }

  /** Waits until the process has ended and returns its exit code. */
  public int awaitExit() {
    try {
      if (process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        return process.exitValue();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new IllegalStateException("The application does not end: " + output());
  }

  /** What this start has written to its output. */
  public String output() {
    try {
      return Files.readString(outputFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path outputFile() {
    return directory.resolve("output-" + starts + ".log");
  }

  public Path addressFile() {
    return workingDirectory
        .resolve(properties.getOrDefault("seckill.data-dir", "data"))
        .resolve(EmbeddedServers.ADDRESS_FILE);
  }

  /** What the address file says. */
  public Properties addresses() {
    Properties addresses = new Properties();
    try (InputStream in = Files.newInputStream(addressFile())) {
      addresses.load(in);
      return addresses;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the address file says, as texts. */
  public Map<String, String> embedded() {
    Properties addresses = addresses();
    Map<String, String> texts = new LinkedHashMap<>();
    addresses.stringPropertyNames().forEach(name -> texts.put(name, addresses.getProperty(name)));
    return texts;
  }

  public String baseUrl() {
    return "http://127.0.0.1:" + properties.get("seckill.http.port");
  }

  public String managementUrl() {
    return "http://127.0.0.1:" + properties.get("seckill.management.port");
  }

  /** A client of this application. */
  public Shop shop() {
    String token = properties.get("seckill.admin.token");
    return new Shop(
        baseUrl(), token == null ? addresses().getProperty("seckill.admin.token") : token);
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Whether somebody listens on a port of 127.0.0.1. */
  public static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), PROBE_MILLIS);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  /** Ends the application in good order when it still runs. */
  @Override
  public void close() {
    if (isAlive()) {
      terminate();
    }
  }
}
