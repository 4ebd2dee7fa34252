package io.seckill.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A self-made certificate for 127.0.0.1 with its key, in the files that servers and clients take.
 *
 * @param keystore PKCS12: certificate and key
 * @param truststore PKCS12: the certificate alone, for those who trust it
 */
public record Certificate(Path keystore, Path truststore, Path pemCertificate, Path pemKey) {
  public static final String PASSWORD = "store-password";

  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

  /** Makes the files in a directory, which is created when absent. */
  public static Certificate make(Path directory, String name) {
    try {
      Files.createDirectories(directory);
      Path keystore = directory.resolve(name + ".p12");
      Path truststore = directory.resolve(name + "-trust.p12");
      keytool(
          "-genkeypair -alias own -keyalg RSA -keysize 2048 -validity 30 -storetype PKCS12 -ext san=ip:127.0.0.1",
          "-dname",
          "CN=" + name,
          "-keystore",
          keystore.toString());
      KeyStore store = KeyStore.getInstance(keystore.toFile(), PASSWORD.toCharArray());
      KeyStore trust = KeyStore.getInstance("PKCS12");
      trust.load(null, null);
      trust.setCertificateEntry(name, store.getCertificate("own"));
      try (var out = Files.newOutputStream(truststore)) {
        trust.store(out, PASSWORD.toCharArray());
      }
      return new Certificate(
          keystore,
          truststore,
          pem(
              directory.resolve(name + ".crt"),
              "CERTIFICATE",
              store.getCertificate("own").getEncoded()),
          pem(
              directory.resolve(name + ".key"),
              "PRIVATE KEY",
              store.getKey("own", PASSWORD.toCharArray()).getEncoded()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path pem(Path file, String kind, byte[] content) throws IOException {
    return Files.writeString(
        file,
        "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n"
            .formatted(kind, LINES.encodeToString(content)),
        StandardCharsets.US_ASCII);
  }

  private static void keytool(String options, String... more) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(options.split(" ")));
    command.addAll(List.of("-storepass", PASSWORD, "-keypass", PASSWORD));
    command.addAll(List.of(more));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IllegalStateException("keytool: " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
