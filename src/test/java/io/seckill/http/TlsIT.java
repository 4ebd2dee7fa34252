package io.seckill.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.seckill.StartRefusedException;
import io.seckill.testing.Certificate;
import io.seckill.testing.LogCapture;
import io.seckill.testing.Products;
import io.seckill.testing.TestApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both ports with certificates of their own. */
class TlsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int REDIS_DATABASE = 13;

  @TempDir private static Path made;
  private static Certificate first;
  private static Certificate second;
  private static Certificate ofManagement;

  @TempDir private Path directory;
  private Path certificate;
  private Path key;

  @BeforeAll
  static void makeCertificates() {
    first = Certificate.make(made.resolve("first"), "first");
    second = Certificate.make(made.resolve("second"), "second");
    ofManagement = Certificate.make(made.resolve("management"), "management");
  }

  @BeforeEach
  void installTheFirst() throws IOException {
    certificate = Files.copy(first.pemCertificate(), directory.resolve("tls.crt"));
    key = Files.copy(first.pemKey(), directory.resolve("tls.key"));
  }

  private Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("seckill.http.tls.certificate", certificate.toString());
    properties.put("seckill.http.tls.key", key.toString());
    properties.put("seckill.management.tls.keystore", ofManagement.keystore().toString());
    properties.put("seckill.management.tls.keystore-password", Certificate.PASSWORD);
    properties.put("seckill.tls.interval", "1");
    return properties;
  }

  @Test
  void shouldSellOverTlsAlone() throws Exception {
    try (TestApplication application =
        TestApplication.apart("tlsports", REDIS_DATABASE, properties())) {
      String management = https(application.managementUrl());
      HttpClient watcher = client(ofManagement);
      await()
          .atMost(LIMIT)
          .until(() -> get(watcher, management + "/observe/health/ready").statusCode() == 200);
      assertThat(get(watcher, management + "/observe/metrics").body()).contains("seckill_");

      HttpClient buyer = client(first);
      String sale = https(application.baseUrl()) + "/admin/sales/" + Products.next();
      HttpResponse<String> created =
          send(
              buyer,
              HttpRequest.newBuilder(URI.create(sale))
                  .header("Authorization", "Bearer " + application.adminToken())
                  .header("Content-Type", "application/json")
                  .PUT(HttpRequest.BodyPublishers.ofString("{\"name\":\"Phone\",\"stock\":2}")));
      assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
      HttpResponse<String> bought =
          send(
              buyer,
              HttpRequest.newBuilder(URI.create(sale.replace("/admin/sales/", "/seckill/")))
                  .header("X-User-Id", "7")
                  .POST(HttpRequest.BodyPublishers.noBody()));
      assertThat(bought.statusCode()).as(bought.body()).isEqualTo(202);
      assertThat(bought.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
      assertThat(bought.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");

      assertThatThrownBy(
              () -> get(HttpClient.newHttpClient(), application.baseUrl() + "/seckill/1"))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> get(HttpClient.newHttpClient(), application.managementUrl() + "/"))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void shouldShowARenewedCertificateOnceItsKeyIsThere() throws Exception {
    try (LogCapture log = LogCapture.begin();
        TestApplication application =
            TestApplication.apart("tlsrenewed", REDIS_DATABASE, properties())) {
      int port = URI.create(application.baseUrl()).getPort();
      assertThat(shown(port, first)).isEqualTo(of(first));

      install(second.pemCertificate(), certificate);
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(log.of(ServerTls.class.getName()))
                      .singleElement()
                      .satisfies(
                          event ->
                              assertThat(event.getMessage().getFormattedMessage())
                                  .contains("not that of the certificate", "stays in use")));
      assertThat(shown(port, first)).isEqualTo(of(first));

      install(second.pemKey(), key);
      await()
          .ignoreException(SSLHandshakeException.class)
          .atMost(LIMIT)
          .untilAsserted(() -> assertThat(shown(port, second)).isEqualTo(of(second)));
    }
  }

  private static void install(Path from, Path to) throws IOException {
    Path part = Files.copy(from, to.resolveSibling("part"));
    Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void shouldSayAtTheStartWhatIsWrongWithACertificate() throws Exception {
    Map<String, String> properties = properties();
    properties.put("seckill.http.tls.key", second.pemKey().toString());
    assertThat(refusal(properties))
        .contains("seckill.http.tls", "the key is not that of the certificate");

    properties.put("seckill.http.tls.key", directory.resolve("nowhere").toString());
    assertThat(refusal(properties)).contains("seckill.http.tls", "nowhere is not there");

    Path old =
        Files.writeString(
            directory.resolve("old.key"),
            Files.readString(first.pemKey()).replace("PRIVATE KEY", "RSA PRIVATE KEY"));
    properties.put("seckill.http.tls.key", old.toString());
    assertThat(refusal(properties)).contains("seckill.http.tls", "openssl pkcs8 -topk8");

    properties.put("seckill.http.tls.key", "");
    assertThat(refusal(properties))
        .contains("Set seckill.http.tls.certificate and seckill.http.tls.key");

    properties = properties();
    properties.put("seckill.management.tls.keystore-password", "wrong");
    assertThat(refusal(properties))
        .contains("seckill.management.tls", "password")
        .doesNotContain("wrong");
  }

  private static String refusal(Map<String, String> properties) {
    Throwable error =
        catchThrowable(
            () -> TestApplication.apart("tlsrefused", REDIS_DATABASE, properties).close());
    return StartRefusedException.in(error)
        .orElseThrow(() -> new AssertionError(error))
        .getMessage();
  }

  private static String https(String url) {
    return url.replace("http://", "https://");
  }

  private static HttpResponse<String> get(HttpClient client, String url) throws Exception {
    return send(client, HttpRequest.newBuilder(URI.create(url)).GET());
  }

  private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request)
      throws Exception {
    return client.send(request.timeout(LIMIT).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpClient client(Certificate trusted) throws Exception {
    return HttpClient.newBuilder().sslContext(context(trusted)).build();
  }

  private static SSLContext context(Certificate trusted) throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(
        KeyStore.getInstance(trusted.truststore().toFile(), Certificate.PASSWORD.toCharArray()));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** What a new connection is shown, which must be trusted. */
  private static X509Certificate shown(int port, Certificate trusted) throws Exception {
    try (SSLSocket socket =
        (SSLSocket) context(trusted).getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setSoTimeout((int) LIMIT.toMillis());
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  private static X509Certificate of(Certificate certificate) throws Exception {
    KeyStore store =
        KeyStore.getInstance(certificate.keystore().toFile(), Certificate.PASSWORD.toCharArray());
    return (X509Certificate) store.getCertificate("own");
  }
}
