package io.seckill.http;

import io.seckill.StartRefusedException;
import io.vertx.core.http.HttpServer;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.SSLOptions;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManagerFactory;
import org.apache.camel.support.jsse.KeyManagersParameters;
import org.apache.camel.support.jsse.KeyStoreParameters;
import org.apache.camel.support.jsse.SSLContextParameters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of a server, with a certificate that may be renewed while it runs: either two PEM files or a
 * key store, which the properties {@code certificate} and {@code key}, or {@code keystore} and
 * {@code keystore-password}, name.
 *
 * <p>Not thread-safe: to be asked by one thread at a time.
 */
final class ServerTls {
  private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);

  /** The store lives in memory alone. */
  private static final String PASSWORD = "in-memory";

  private final String prefix;
  private final String certificate;
  private final String key;
  private final String keystore;
  private final String keystorePassword;
  private ServerCertificate current;
  private String told = "";

  private ServerTls(String prefix, UnaryOperator<String> property) {
    this.prefix = prefix;
    certificate = property.apply(prefix + ".certificate");
    key = property.apply(prefix + ".key");
    keystore = property.apply(prefix + ".keystore");
    keystorePassword = property.apply(prefix + ".keystore-password");
  }

  /**
   * Empty where the properties name no certificate.
   *
   * @param prefix of the properties, such as {@code seckill.http.tls}
   * @throws StartRefusedException when they name half of what there must be, or what cannot be read
   */
  static Optional<ServerTls> of(String prefix, UnaryOperator<String> property) {
    ServerTls tls = new ServerTls(prefix, property);
    boolean pem = !tls.certificate.isBlank() || !tls.key.isBlank();
    if (!pem && tls.keystore.isBlank()) {
      return Optional.empty();
    }
    if (pem && (!tls.keystore.isBlank() || tls.certificate.isBlank() || tls.key.isBlank())) {
      throw new StartRefusedException(
          "Set "
              + prefix
              + ".certificate and "
              + prefix
              + ".key, or "
              + prefix
              + ".keystore and its password.");
    }
    try {
      tls.current = tls.read();
    } catch (IOException | GeneralSecurityException e) {
      throw new StartRefusedException(tls.unreadable(e), e);
    }
    return Optional.of(tls);
  }

  private ServerCertificate read() throws IOException, GeneralSecurityException {
    return keystore.isBlank()
        ? ServerCertificate.ofPem(Path.of(certificate), Path.of(key))
        : ServerCertificate.ofStore(Path.of(keystore), keystorePassword);
  }

  private String unreadable(Exception reason) {
    return prefix
        + ": "
        + (keystore.isBlank() ? certificate + " with " + key : keystore)
        + " cannot be used: "
        + (reason instanceof NoSuchFileException missing
            ? missing.getFile() + " is not there"
            : reason.getMessage())
        + ".";
  }

  /** As Camel's servers take it. */
  SSLContextParameters parameters() {
    KeyManagersParameters keys = new KeyManagersParameters();
    keys.setKeyPassword(PASSWORD);
    keys.setKeyStore(
        new KeyStoreParameters() {
          @Override
          public KeyStore createKeyStore() throws GeneralSecurityException {
            return current.store(PASSWORD);
          }
        });
    SSLContextParameters parameters = new SSLContextParameters();
    parameters.setKeyManagers(keys);
    return parameters;
  }

  /**
   * Gives the servers the certificate of the files if it is another one; connections that stand go
   * on with the one they have. What cannot be read yet is told once and left.
   */
  void renew(List<HttpServer> servers) {
    try {
      ServerCertificate read = read();
      told = "";
      if (read.equals(current)) {
        return;
      }
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(read.store(PASSWORD), PASSWORD.toCharArray());
      SSLOptions options = new SSLOptions().setKeyCertOptions(KeyCertOptions.wrap(keys));
      for (HttpServer server : servers) {
        server.updateSSLOptions(options).toCompletionStage().toCompletableFuture().join();
      }
      current = read;
      LOG.info("{}: the renewed certificate is in use", prefix);
    } catch (IOException | GeneralSecurityException e) {
      String reason = unreadable(e);
      if (!reason.equals(told)) {
        LOG.warn("{} The certificate before it stays in use.", reason);
        told = reason;
      }
    }
  }
}
