package io.seckill.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file system of its own in memory, to be filled. A test that asks for one is skipped where this
 * process is not root, or root may not mount.
 */
public final class SmallDisk implements AutoCloseable {
  private static final int BLOCK = 1 << 16;

  private final Path point;

  private SmallDisk(Path point) {
    this.point = point;
  }

  /**
   * Mounts one.
   *
   * @param size as mount takes it, {@code 480m}
   */
  public static SmallDisk of(String size) throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"), "Only root can mount a small disk.");
    SmallDisk disk = new SmallDisk(Files.createTempDirectory("seckill-disk"));
    if (run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", disk.point.toString()) != 0) {
      Files.delete(disk.point);
      assumeTrue(false, "This machine does not let root mount a file system.");
    }
    return disk;
  }

  /** Its root folder. */
  public Path point() {
    return point;
  }

  /** Leaves no byte free. */
  public void fill() {
    byte[] block = new byte[BLOCK];
    try (OutputStream out = Files.newOutputStream(filler())) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("No space left");
    }
  }

  /** Gives back what {@link #fill} took. */
  public void free() throws IOException {
    Files.delete(filler());
  }

  private Path filler() {
    return point.resolve("filler");
  }

  /** Unmounts it; what was on it is gone. */
  @Override
  public void close() throws IOException {
    run("umount", "--lazy", point.toString());
    Files.delete(point);
  }

  private static int run(String... command) throws IOException {
    try {
      return new ProcessBuilder(command).inheritIO().start().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
