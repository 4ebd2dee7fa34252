package io.seckill.drill.plant;

import io.seckill.drill.check.Invariant;
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
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A bug that is planted into copies of the application's files, and the fault that shows it. The
 * application uses the copies instead of its own files.
 *
 * @param name kebab-case
 * @param description the bug, in one sentence
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
    String strategy,
    Map<String, String> properties,
    List<Edit> edits,
    List<String> before,
    List<String> after,
    Set<Invariant> breaks) {

  private static final String ROUTES = "routes";
  private static final String INCLUDE = "camel.main.routesIncludePattern";

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
        change(edit, classes, folder);
      }
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
}
