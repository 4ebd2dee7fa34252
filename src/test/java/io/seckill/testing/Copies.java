package io.seckill.testing;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Copies files and folders, so that every user may read them. */
public final class Copies {
  private Copies() {}

  /**
   * Copies a file, or a folder with all in it.
   *
   * @param target does not exist yet
   * @param leftOut names of folders that are not copied
   */
  public static void of(Path source, Path target, String... leftOut) throws IOException {
    Set<String> skipped = Set.of(leftOut);
    Files.walkFileTree(
        source,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            if (skipped.contains(folder.getFileName().toString())) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Path copy = Files.createDirectories(target.resolve(source.relativize(folder)));
            Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path copy = target.resolve(source.relativize(file).toString());
            Files.copy(file, file.equals(source) ? target : copy);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
