package io.seckill.drill.plant;

import io.seckill.drill.check.Invariant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A bug, planted into a copy of the application's files that comes before its own ones, and the
 * fault that brings it to light.
 *
 * @param name kebab-case
 * @param description what is wrong
 * @param strategy A or B
 * @param properties that keep the application from healing it by another way, e.g. no sweeper
 * @param edits changes to scripts, statements and routes
 * @param before statements that take a guard out of the database
 * @param after statements that put it back
 * @param breaks the invariants of which at least one must be found broken
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

  /** Where the application finds its routes instead of among its own files. */
  public Map<String, String> routes(Path folder) {
    return Map.of(
        "camel.main.routesIncludePattern", "file:" + folder.resolve(ROUTES) + "/*.camel.yaml");
  }

  /**
   * Writes the changed files.
   *
   * @param classes the application's own classes and files
   * @param folder emptied first
   * @throws IllegalStateException when a file does not hold what is to be changed: the application
   *     has moved on, the bug must be planted anew
   */
  public void write(Path classes, Path folder) throws IOException {
    deleteRecursively(folder);
    // routes are all taken from the copy, or each changed one would be there twice
    Files.createDirectories(folder.resolve(ROUTES));
    try (Stream<Path> routes = Files.list(classes.resolve(ROUTES))) {
      for (Path route : routes.toList()) {
        Files.copy(route, folder.resolve(ROUTES).resolve(route.getFileName()));
      }
    }
    for (Edit edit : edits) {
      Path target = folder.resolve(edit.file());
      Files.createDirectories(target.getParent());
      if (edit.from() == null) {
        Files.writeString(target, edit.to());
        continue;
      }
      Path source = Files.exists(target) ? target : classes.resolve(edit.file());
      String text = Files.readString(source);
      if (!text.contains(edit.from())) {
        throw new IllegalStateException(
            name + ": " + edit.file() + " does not hold: " + edit.from());
      }
      Files.writeString(target, text.replace(edit.from(), edit.to()));
    }
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
