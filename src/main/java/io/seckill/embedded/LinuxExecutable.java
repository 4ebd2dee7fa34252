package io.seckill.embedded;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;

/**
 * Unpacks an executable for Linux on x86-64 (ELF, see elf(5)) from a jar.
 *
 * <p>It writes only the parts that the system loads: 30 of MariaDB's 314 MB. The rest serves
 * debuggers.
 */
final class LinuxExecutable {
  private static final byte[] MAGIC = {0x7f, 'E', 'L', 'F', 2, 1};

  private static final int HEADER_SIZE = 64;
  private static final int SEGMENT_TABLE = 32;
  private static final int SECTION_TABLE = 40;
  private static final int SEGMENT_SIZE = 54;
  private static final int SEGMENT_COUNT = 56;
  private static final int SECTION_COUNT = 60;
  private static final int SEGMENT_OFFSET = 8;
  private static final int SEGMENT_LENGTH = 32;
  private static final int CHUNK = 1 << 16;

  private LinuxExecutable() {}

  /** Whether this is Linux on x86-64. */
  static boolean runsHere() {
    return System.getProperty("os.name").equals("Linux")
        && Set.of("amd64", "x86_64").contains(System.getProperty("os.arch"));
  }

  /**
   * Writes the executable to a file, completely or not at all.
   *
   * <p>A separate program makes the final copy. A process that this JVM starts at the same moment
   * briefly inherits the JVM's open files, and Linux refuses to run a file that is open for writing
   * ("Text file busy").
   *
   * @param in closed by the caller
   * @param file its folder is created when absent
   */
  static void unpack(InputStream in, Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Path part = Files.createTempFile(file.getParent(), "unpacked", ".part");
    Path copy = part.resolveSibling(part.getFileName() + ".copy");
    try {
      try (OutputStream out = Files.newOutputStream(part)) {
        copyLoaded(in, out);
      }
      if (!part.toFile().setExecutable(true)) {
        throw new IOException("cannot make " + part + " executable");
      }
      copy(part, copy);
      Files.move(copy, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
      Files.deleteIfExists(copy);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Process program =
        new ProcessBuilder("cp", "-p", from.toString(), to.toString())
            .redirectErrorStream(true)
            .start();
    String said =
        new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (program.waitFor() != 0) {
        throw new IOException(said);
      }
    } catch (InterruptedException e) {
      program.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + to + " was written");
    }
  }

  private static void copyLoaded(InputStream in, OutputStream out) throws IOException {
    byte[] start = in.readNBytes(HEADER_SIZE);
    ByteBuffer header = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN);
    if (start.length < HEADER_SIZE
        || !header.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))
        || header.getLong(SEGMENT_TABLE) != HEADER_SIZE) {
      throw new IOException("not an executable for 64-bit Linux");
    }
    int segmentSize = header.getShort(SEGMENT_SIZE);
    byte[] table = in.readNBytes(segmentSize * header.getShort(SEGMENT_COUNT));
    ByteBuffer segments = ByteBuffer.wrap(table).order(ByteOrder.LITTLE_ENDIAN);
    long end = HEADER_SIZE + table.length;
    for (int at = 0; at < table.length; at += segmentSize) {
      end =
          Math.max(
              end, segments.getLong(at + SEGMENT_OFFSET) + segments.getLong(at + SEGMENT_LENGTH));
    }
    // the table of sections is dropped together with the sections
    header.putLong(SECTION_TABLE, 0).putInt(SECTION_COUNT, 0);
    out.write(start);
    out.write(table);
    copy(in, out, end - HEADER_SIZE - table.length);
  }

  private static void copy(InputStream in, OutputStream out, long length) throws IOException {
    byte[] buffer = new byte[CHUNK];
    for (long left = length; left > 0; ) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new EOFException("the executable ends too early");
      }
      out.write(buffer, 0, read);
      left -= read;
    }
  }
}
