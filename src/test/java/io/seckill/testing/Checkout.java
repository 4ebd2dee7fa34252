package io.seckill.testing;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A copy of the project as somebody gets it who checks it out: sources without anything that was
 * built.
 *
 * @param directory the copy's root
 */
public record Checkout(Path directory) {
  /**
   * Copies the project.
   *
   * @param directory created when absent
   */
  public static Checkout in(Path directory) throws IOException {
    Path copy = directory.toAbsolutePath();
    Copies.of(Path.of("").toAbsolutePath(), copy, ".git", "target", "data");
    return new Checkout(copy);
  }
}
