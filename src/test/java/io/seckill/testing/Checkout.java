package io.seckill.testing;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * A copy of the project as somebody gets it who checks it out: sources without anything that was
 * built.
 *
 * @param directory the copy's root
 */
public record Checkout(Path directory) {
  private static final Set<String> LEFT_OUT = Set.of(".git", "target", "data");

  /**
   * Copies the project.
   *
   * @param directory created when absent
   */
  public static Checkout in(Path directory) throws IOException {
    Path project = Path.of("").toAbsolutePath();
    Path copy = directory.toAbsolutePath();
    Files.walkFileTree(
        project,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path source, BasicFileAttributes attributes)
              throws IOException {
            if (LEFT_OUT.contains(source.getFileName().toString())) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(copy.resolve(project.relativize(source)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path source, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(source, copy.resolve(project.relativize(source)));
            return FileVisitResult.CONTINUE;
          }
        });
    return new Checkout(copy);
  }
}
