package io.seckill.redis;

import io.lettuce.core.SslOptions;
import io.seckill.StartRefusedException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * The files for TLS to Redis. Each is PKCS12, JKS or PEM; its content tells which.
 *
 * @param truststore the only certificates this node trusts; empty for those of the JVM
 * @param keystore this node's certificate and key, when Redis asks for one ({@code
 *     tls-auth-clients}). A PEM file contains both. Empty for none
 */
public record RedisCertificates(
    String truststore, String truststorePassword, String keystore, String keystorePassword) {

  /** The JVM's trusted certificates, and no certificate for this node. */
  public static final RedisCertificates NONE = new RedisCertificates("", "", "", "");

  private static final String PEM = "-----BEGIN ";

  /**
   * @throws StartRefusedException when a file cannot be read
   */
  void addTo(SslOptions.Builder options) {
    read(
        "seckill.redis.truststore",
        truststore,
        file -> {
          if (isPem(file)) {
            options.trustManager(file);
          } else {
            TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(KeyStore.getInstance(file, truststorePassword.toCharArray()));
            options.trustManager(trust);
          }
        });
    read(
        "seckill.redis.keystore",
        keystore,
        file -> {
          char[] password = keystorePassword.toCharArray();
          if (isPem(file)) {
            options.keyManager(file, file, password.length == 0 ? null : password);
          } else {
            KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(KeyStore.getInstance(file, password), password);
            options.keyManager(keys);
          }
        });
  }

  private interface Reader {
    void read(File file) throws IOException, GeneralSecurityException;
  }

  private static void read(String property, String path, Reader reader) {
    if (path.isBlank()) {
      return;
    }
    try {
      reader.read(Path.of(path).toFile());
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new StartRefusedException(
          property + ": " + path + " cannot be read with its password: " + e, e);
    }
  }

  private static boolean isPem(File file) throws IOException {
    return Files.readString(file.toPath(), StandardCharsets.ISO_8859_1).contains(PEM);
  }
}
