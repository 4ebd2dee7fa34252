package io.seckill.drill.plant;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seckill.drill.check.Invariant;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * A bug that is planted into copies of the application's files, and the fault or the test that
 * shows it. The application uses the copies instead of its own files.
 *
 * @param name kebab-case
 * @param description the bug, in one sentence
 * @param fault null when a test shows it
 * @param test {@code class#method} of the test that must fail, where no fault reaches the bug in a
 *     bounded time; else null
 * @param strategy A or B
 * @param properties properties that keep the application from repairing the damage, e.g. no sweeper
 * @param edits changes to scripts, statements and routes
 * @param before statements that remove a guard from the database
 * @param after statements that restore it
 * @param breaks the invariants that the bug breaks; the checker must find a breach of at least one
 */
public record Planted(
    String name,
    String description,
    String fault,
    String test,
    String strategy,
    Map<String, String> properties,
    List<Edit> edits,
    List<String> before,
    List<String> after,
    Set<Invariant> breaks) {

  private static final int TEST_MINUTES = 10;
  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final String ROUTES = "routes";
  private static final String INCLUDE = "camel.main.routesIncludePattern";

  /** A bug that a fault shows. */
  static Planted drilled(
      String name,
      String description,
      String fault,
      String strategy,
      Map<String, String> properties,
      List<Edit> edits,
      List<String> before,
      List<String> after,
      Set<Invariant> breaks) {
    return new Planted(
        name, description, fault, null, strategy, properties, edits, before, after, breaks);
  }

  /** A bug that a test shows. */
  static Planted tested(String name, String description, String test, List<Edit> edits) {
    return new Planted(
        name, description, null, test, "A", Map.of(), edits, List.of(), List.of(), Set.of());
  }

  /** The properties that make the application read the copied routes instead of its own. */
  public Map<String, String> routes(Path classes, Path folder) throws IOException {
    Properties own = new Properties();
    try (Reader in = Files.newBufferedReader(classes.resolve("application.properties"))) {
      own.load(in);
    }
    String pattern = own.getProperty(INCLUDE);
    return Map.of(INCLUDE, pattern.replace("classpath:routes", "file:" + folder.resolve(ROUTES)));
  }

  /**
   * Writes the changed files.
   *
   * @param classes the application's own classes and files
   * @param folder emptied first
   * @throws IllegalStateException when the application does not contain the text of an edit any
   *     more, so that the edit must be adapted
   */
  public void write(Path classes, Path folder) throws IOException {
    deleteRecursively(folder);
    // all routes come from the copies, because a changed route must not be loaded twice
    for (Path route : files(classes.resolve(ROUTES))) {
      copy(classes, route, folder);
    }
    for (Edit edit : edits) {
      if (edit.from() == null) {
        Path target = folder.resolve(edit.place());
        Files.createDirectories(target.getParent());
        Files.writeString(target, edit.to());
      } else {
        change(edit, edit.isJava() ? SOURCES : classes, folder);
      }
    }
    compile(folder);
  }

  /** The class path of the tests, which holds the application's. */
  private static String testClasspath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Compiles the changed sources into the folder. */
  private void compile(Path folder) {
    List<String> sources =
        edits.stream()
            .filter(Edit::isJava)
            .map(edit -> folder.resolve(edit.place()).toString())
            .distinct()
            .toList();
    if (sources.isEmpty()) {
      return;
    }
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-nowarn", "-proc:none", "-d", folder.toString()));
    arguments.addAll(List.of("-cp", testClasspath()));
    arguments.addAll(sources);
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, told, told, arguments.toArray(String[]::new));
    if (status != 0) {
      throw new IllegalStateException(
          "The planted bug " + name + " does not compile: " + told.toString(UTF_8));
    }
  }

  private void change(Edit edit, Path classes, Path folder) throws IOException {
    List<Path> holders = new ArrayList<>();
    for (Path file : files(classes.resolve(edit.place()))) {
      Path copy = folder.resolve(classes.relativize(file));
      if (!Files.exists(copy)) {
        copy = copy(classes, file, folder);
      }
      if (Files.readString(copy).contains(edit.from())) {
        holders.add(copy);
      }
    }
    if (holders.size() != 1) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "The planted bug %s no longer fits the application: %d files at %s hold the text it changes:%n%s",
              name,
              holders.size(),
              edit.place(),
              edit.from()));
    }
    Path holder = holders.get(0);
    Files.writeString(holder, Files.readString(holder).replace(edit.from(), edit.to()));
  }

  /** A file itself, or all files of a folder; empty when neither exists. */
  private static List<Path> files(Path place) throws IOException {
    if (!Files.exists(place)) {
      return List.of();
    }
    try (Stream<Path> tree = Files.walk(place)) {
      return tree.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static Path copy(Path classes, Path file, Path folder) throws IOException {
    Path target = folder.resolve(classes.relativize(file));
    Files.createDirectories(target.getParent());
    return Files.copy(file, target);
  }

  private static void deleteRecursively(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (NoSuchFileException none) {
      return;
    }
  }

  /**
   * Runs the test with the bug in place.
   *
   * @param folder where the changed files are
   * @return how it failed; empty when it passed
   * @throws IllegalStateException when it cannot be run
   */
  public Optional<String> runTest(Path classes, Path folder) throws IOException {
    Path log = folder.resolve("test.log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1g", "-XX:TieredStopAtLevel=1"));
    routes(classes, folder).forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.addAll(List.of("-cp", folder + File.pathSeparator + testClasspath()));
    command.addAll(List.of(TestRun.class.getName(), test));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      if (!process.waitFor(TEST_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new IllegalStateException(test + " does not end: " + log);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
    if (process.exitValue() == 0) {
      return Optional.empty();
    }
    if (process.exitValue() != TestRun.FAILED) {
      throw new IllegalStateException(test + " cannot be run: " + log);
    }
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line -> line.startsWith("FAILED")).findFirst();
    }
  }
}
