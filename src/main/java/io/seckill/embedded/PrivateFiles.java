package io.seckill.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** Writes files with secrets, completely or not at all, for their owner alone. */
final class PrivateFiles {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private static final Set<PosixFilePermission> FOLDER_OF_OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private static final int SECRET_BYTES = 16;

  private PrivateFiles() {}

  /** Nobody else may enter a folder from now on. */
  static void close(Path folder) throws IOException {
    allow(folder, FOLDER_OF_OWNER_ONLY);
  }

  private static void allow(Path path, Set<PosixFilePermission> permissions) throws IOException {
    if (Files.getFileStore(path).supportsFileAttributeView("posix")
        && !Files.getPosixFilePermissions(path).equals(permissions)) {
      Files.setPosixFilePermissions(path, permissions);
    }
  }

  /** The random text in a file, which is made when it is absent. */
  static String secret(Path file) throws IOException {
    if (Files.exists(file)) {
      return Files.readString(file).strip();
    }
    byte[] random = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(random);
    String made = HexFormat.of().formatHex(random);
    write(file, made + "\n");
    return made;
  }

  static void write(Path file, String text) throws IOException {
    Path part = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".part");
    allow(part, OWNER_ONLY);
    Files.writeString(part, text);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
