package io.seckill.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Arguments of the java command in a file of their owner's: what stands on a command line every
 * user of the machine may read, passwords among it.
 */
public final class ArgumentFile {
  private ArgumentFile() {}

  /**
   * Writes the arguments, the main class and its own among them.
   *
   * @param file written anew
   * @return the one argument that stands for all of them
   */
  public static String write(Path file, List<String> arguments) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(
        file, arguments.stream().map(ArgumentFile::quoted).collect(Collectors.joining("\n")));
    return "@" + file.toAbsolutePath();
  }

  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
