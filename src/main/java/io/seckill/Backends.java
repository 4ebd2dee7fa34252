package io.seckill;

import io.seckill.embedded.EmbeddedServers;
import io.seckill.http.EventLoopHttpServerFactory;
import io.seckill.kafka.StartTopics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.MainListenerSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/**
 * Settles what the routes run on before Camel reads its configuration: mode, strategy, addresses,
 * and the embedded servers, which it starts and stops.
 *
 * <p>{@code seckill.backends} decides: {@code embedded} (default where the embedded servers are on
 * the classpath) or {@code external}, which refuses to start without addresses and an admin token.
 */
final class Backends extends MainListenerSupport implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Backends.class);

  /** The only message whose lines the log leaves as they are. */
  private static final Marker BANNER = MarkerFactory.getMarker("BANNER");

  private static final String EMBEDDED = "embedded";
  private static final String EXTERNAL = "external";
  private static final String BACKENDS = "seckill.backends";
  private static final String HTTP_HOST = "seckill.http.host";
  private static final String MODE = "seckill.mode";
  private static final String RESULTS = "seckill.results";
  private static final String WEBHOOKS = "seckill.webhooks";
  private static final String STRATEGY = "seckill.strategy";
  private static final String ADMIN_TOKEN = "seckill.admin.token";
  private static final String ADMIN_TOKENS = "seckill.admin.tokens";
  private static final String ADMIN_HOST = "seckill.admin.host";
  private static final String ADMIN_PORT = "seckill.admin.port";

  private static final List<String> ADDRESSES =
      List.of(
          "seckill.redis.uri",
          "seckill.kafka.brokers",
          "seckill.mysql.url",
          "seckill.mysql.user",
          "seckill.mysql.password");

  /**
   * What embedded servers tell beside their addresses, where it has no default but an empty one.
   */
  private static final List<String> LOGINS =
      List.of("seckill.redis.user", "seckill.redis.password", "seckill.kafka.sasl-jaas-config");

  private volatile EmbeddedServers servers;
  private Settings settings;
  private boolean knownOnly;
  private boolean madeToken;

  /** Call this only in a JVM whose system properties all belong to the application. */
  void refuseUnknownProperties() {
    knownOnly = true;
  }

  @Override
  public void beforeInitialize(BaseMainSupport base) {
    settings = new Settings(base.getCamelContext().getPropertiesComponent());
    Set<String> known = new HashSet<>(settings.names());
    known.addAll(ADDRESSES);
    known.addAll(List.of(BACKENDS, HTTP_HOST, ADMIN_TOKEN));
    SecretFiles secrets = new SecretFiles(settings, known);
    known.addAll(secrets.names());
    if (knownOnly) {
      settings.refuseUnknown(known);
    }
    secrets.read(base::addOverrideProperty);
    chooseMode(base);
    String backends =
        settings.find(BACKENDS).orElse(EmbeddedServers.areOnClasspath() ? EMBEDDED : EXTERNAL);
    base.addOverrideProperty(BACKENDS, backends);
    settings.oneOf(BACKENDS, EMBEDDED, EXTERNAL);
    defaultTo(base, HTTP_HOST, backends.equals(EMBEDDED) ? "127.0.0.1" : "0.0.0.0");
    requireAddresses();
    if (backends.equals(EMBEDDED)) {
      startEmbedded(base);
    } else {
      requireExternal();
    }
    base.getCamelContext()
        .getRegistry()
        .bind("httpServerFactory", new EventLoopHttpServerFactory());
  }

  private void requireExternal() {
    List<String> missing =
        Stream.concat(ADDRESSES.stream().filter(this::isNeeded), Stream.of(ADMIN_TOKEN))
            .filter(name -> settings.find(name).isEmpty())
            .filter(name -> !name.equals(ADMIN_TOKEN) || settings.find(ADMIN_TOKENS).isEmpty())
            .toList();
    if (!missing.isEmpty()) {
      throw new StartRefusedException(
          "Cannot start with external servers: set "
              + String.join(", ", missing)
              + " (as system properties, or as environment variables such as "
              + Settings.environmentName(missing.get(0))
              + ").");
    }
  }

  private boolean isNeeded(String address) {
    return !isMinimal() || address.startsWith("seckill.mysql.");
  }

  private boolean isMinimal() {
    return settings.get(MODE).equals("minimal");
  }

  /** Minimal mode keeps stock in MySQL only, so each order takes its units there: strategy B. */
  private void chooseMode(BaseMainSupport base) {
    settings.oneOf(MODE, "full", "minimal");
    settings.oneOf("seckill.compensation", "auto", "manual");
    settings.oneOf(RESULTS, "on", "off");
    settings.oneOf(WEBHOOKS, "on", "off");
    if (isMinimal()) {
      base.addOverrideProperty(STRATEGY, "B");
    }
    String strategy = settings.oneOf(STRATEGY, "A", "B");
    if (isMinimal() && !strategy.equals("B")) {
      throw new StartRefusedException(
          "In minimal mode each order takes its units from MySQL's stock (strategy B): remove "
              + STRATEGY
              + ", or set it to B.");
    }
    if (isMinimal() && settings.get(RESULTS).equals("on")) {
      throw new StartRefusedException(
          RESULTS + " needs Kafka, which minimal mode does not use: remove it, or set it to off.");
    }
    if (settings.get(WEBHOOKS).equals("on") && !settings.get(RESULTS).equals("on")) {
      throw new StartRefusedException(
          WEBHOOKS + "=on sends the events of the topic of results: set " + RESULTS + "=on too.");
    }
  }

  private void startEmbedded(BaseMainSupport base) {
    if (!EmbeddedServers.areOnClasspath()) {
      throw new StartRefusedException(
          "seckill.backends=embedded needs the embedded servers on the classpath, as under mvn compile camel:run;"
              + " the packaged application runs with seckill.backends=external.");
    }
    List<String> contradicting =
        Stream.concat(ADDRESSES.stream(), LOGINS.stream())
            .filter(name -> settings.find(name).isPresent())
            .toList();
    if (!contradicting.isEmpty()) {
      throw new StartRefusedException(
          "Embedded servers take their own addresses and passwords, but "
              + String.join(", ", contradicting)
              + " is set: remove it, or set seckill.backends=external.");
    }
    servers =
        EmbeddedServers.begin(
            new EmbeddedServers.Plan(
                settings.path("seckill.data-dir"),
                settings.port("seckill.embedded.redis-port"),
                settings.port("seckill.embedded.kafka-port"),
                settings.port("seckill.embedded.mysql-port"),
                isMinimal()));
    servers.properties().forEach(base::addOverrideProperty);
    if (settings.find(ADMIN_TOKEN).isEmpty()) {
      base.addOverrideProperty(ADMIN_TOKEN, servers.adminToken());
      madeToken = true;
    }
    servers.writeAddresses(settings.get(ADMIN_TOKEN));
  }

  /** Checks the addresses that the application will bind, whichever property sets them. */
  private void requireAddresses() {
    int http = requireFree("camel.server", "seckill.http");
    int management = requireFree("camel.management", "seckill.management");
    int admin = settings.port(ADMIN_PORT);
    if (admin == 0 && settings.find(ADMIN_HOST).isPresent()) {
      throw new StartRefusedException(ADMIN_HOST + " needs a port: set " + ADMIN_PORT + ".");
    }
    if (admin != 0) {
      if (admin == http || admin == management) {
        throw new StartRefusedException(ADMIN_PORT + " is taken by another part: set another.");
      }
      requireFree(
          ADMIN_PORT, settings.find(ADMIN_HOST).orElse(settings.get("camel.server.host")), admin);
    }
  }

  /** Vert.x only logs a warning when a port is taken, and the application would run without it. */
  private int requireFree(String bound, String prefix) {
    int port = settings.port(bound + ".port");
    requireFree(prefix + ".port", settings.get(bound + ".host"), port);
    return port;
  }

  private static void requireFree(String portProperty, String host, int port) {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new StartRefusedException(
          portProperty.replaceAll("port$", "host") + ": no such address: " + host + ".");
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(address);
    } catch (IOException taken) {
      throw new StartRefusedException(
          "Cannot listen on "
              + host
              + ":"
              + port
              + " ("
              + taken.getMessage()
              + "): set "
              + portProperty
              + ".",
          taken);
    }
  }

  private void defaultTo(BaseMainSupport base, String name, String value) {
    if (settings.find(name).isEmpty()) {
      base.addOverrideProperty(name, value);
    }
  }

  /** The routes are read by now, and start next. */
  @Override
  public void afterConfigure(BaseMainSupport base) {
    if (servers != null) {
      servers.awaitStarted();
    }
    StartTopics topics = base.getCamelContext().getRegistry().findSingleByType(StartTopics.class);
    if (topics != null) {
      topics.ensure();
    }
  }

  @Override
  public void afterStart(BaseMainSupport base) {
    LOG.info(BANNER, banner());
  }

  private String scheme(String tls) {
    return Stream.of(".certificate", ".keystore")
            .anyMatch(name -> settings.find(tls + name).isPresent())
        ? "https://"
        : "http://";
  }

  private String banner() {
    String http = address("camel.server");
    String management = address("camel.management");
    Map<String, String> lines = new LinkedHashMap<>();
    String buyers = scheme("seckill.http.tls") + http;
    String administrators = buyers;
    lines.put("orders", buyers + "/seckill/{productId}");
    if (settings.port(ADMIN_PORT) != 0) {
      String host = settings.find(ADMIN_HOST).orElse(settings.get("camel.server.host"));
      administrators =
          scheme("seckill.http.tls") + Settings.hostAndPort(host, settings.port(ADMIN_PORT));
      lines.put("administration", administrators + "/admin");
    }
    lines.put("console", administrators + "/console");
    if (servers != null && settings.get("seckill.identity").equals("header")) {
      lines.put("shop to try", buyers + "/demo");
    }
    lines.put(
        "watching",
        scheme("seckill.management.tls") + management + "/observe/health, /observe/metrics");
    lines.put("mode", settings.get(MODE) + ", strategy " + settings.get(STRATEGY));
    List<String> addresses = new ArrayList<>(ADDRESSES.stream().filter(this::isNeeded).toList());
    addresses.removeIf(name -> name.endsWith(".user") || name.endsWith(".password"));
    addresses.forEach(name -> lines.put(name, Settings.withoutPassword(settings.get(name))));
    if (madeToken) {
      lines.put("admin token", settings.get(ADMIN_TOKEN) + ", in " + servers.adminTokenFile());
    }
    if (servers != null) {
      lines.put("all of these", "in " + servers.addressFile());
    }
    return Banner.of(lines);
  }

  private String address(String prefix) {
    return Settings.hostAndPort(settings.get(prefix + ".host"), settings.port(prefix + ".port"));
  }

  /** Stops the embedded servers, if any. */
  @Override
  public void close() {
    if (servers != null) {
      servers.close();
      servers = null;
    }
  }
}
