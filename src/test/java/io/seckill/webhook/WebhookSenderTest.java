package io.seckill.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.testing.Certificate;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookSenderTest {
  @TempDir private static Path directory;
  private static Vertx vertx;
  private static Certificate certificate;

  private final AtomicInteger resolved = new AtomicInteger();

  @BeforeAll
  static void start() {
    vertx = Vertx.vertx();
    certificate = Certificate.make(directory, "receiver");
  }

  @AfterAll
  static void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private Attempt send(String url) throws Exception {
    return send(url, Duration.ofSeconds(30), certificate.truststore());
  }

  /** Where each name is this machine, at the first question alone. */
  private Attempt send(String url, Duration timeout, Path truststore) throws Exception {
    Targets targets =
        new Targets(
            true,
            true,
            host ->
                new InetAddress[] {
                  resolved.getAndIncrement() == 0
                      ? InetAddress.getByName("127.0.0.1")
                      : InetAddress.getByName("127.0.0.2")
                });
    try (WebhookSender sender =
        new WebhookSender(
            vertx,
            targets,
            new RetryPlan("1000"),
            Clock.systemUTC(),
            new WebhookSender.Connections(
                timeout, 1, truststore.toString(), Certificate.PASSWORD))) {
      return sender.send(
          new ClaimedDelivery(
              1,
              2,
              "event",
              "{}".getBytes(StandardCharsets.UTF_8),
              0,
              3,
              url,
              new Signatures().newSecret(),
              null));
    }
  }

  private static SSLContext tls() throws Exception {
    KeyStore store =
        KeyStore.getInstance(certificate.keystore().toFile(), Certificate.PASSWORD.toCharArray());
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, Certificate.PASSWORD.toCharArray());
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), null, null);
    return tls;
  }

  /** No name server knows the name, and a second question would have got another address. */
  @Test
  void shouldConnectToTheAddressThatWasJudged() throws Exception {
    try (Receiver receiver = Receiver.answering(200)) {
      Attempt attempt = send("http://hooks.invalid:" + receiver.port() + "/x?y=1");

      assertThat(attempt.state()).as(attempt.answer()).isEqualTo(DeliveryState.DELIVERED);
      assertThat(resolved).hasValue(1);
      assertThat(receiver.received().get(0).path()).isEqualTo("/x?y=1");
      assertThat(receiver.received().get(0).header("host"))
          .isEqualTo("hooks.invalid:" + receiver.port());
    }
  }

  @Test
  void shouldCompareTheCertificateWithTheName() throws Exception {
    try (Receiver receiver = Receiver.withTls(tls())) {
      Attempt ofAddress = send("https://127.0.0.1:" + receiver.port() + "/");
      assertThat(ofAddress.state()).as(ofAddress.answer()).isEqualTo(DeliveryState.DELIVERED);

      resolved.set(0);
      Attempt ofName = send("https://hooks.invalid:" + receiver.port() + "/");

      assertThat(ofName.state()).isEqualTo(DeliveryState.WAITING);
      assertThat(ofName.answer()).contains("hooks.invalid");
      assertThat(receiver.received()).hasSize(1);
    }
  }

  @Test
  void shouldTrustNoUnknownCertificate() throws Exception {
    Certificate other = Certificate.make(directory, "other");
    try (Receiver receiver = Receiver.withTls(tls())) {
      Attempt attempt =
          send(
              "https://127.0.0.1:" + receiver.port() + "/",
              Duration.ofSeconds(30),
              other.truststore());

      assertThat(attempt.state()).isEqualTo(DeliveryState.WAITING);
      assertThat(receiver.received()).isEmpty();
    }
    assertThat(Files.exists(other.truststore())).isTrue();
  }

  @Test
  void shouldWaitNoLongerThanItsTimeout() throws Exception {
    Object never = new Object();
    try (Receiver receiver =
        Receiver.answering(
            request -> {
              synchronized (never) {
                try {
                  never.wait(TimeUnit.MINUTES.toMillis(10));
                } catch (InterruptedException closed) {
                  Thread.currentThread().interrupt();
                }
              }
              return Receiver.Answer.of(200);
            })) {
      Attempt attempt = send(receiver.url(), Duration.ofMillis(200), certificate.truststore());

      assertThat(attempt.state()).isEqualTo(DeliveryState.WAITING);
      assertThat(attempt.answerCode()).isNull();
      assertThat(attempt.tookMs()).isLessThan(TimeUnit.MINUTES.toMillis(5));
    }
  }

  @Test
  void shouldSayThatNobodyListens() throws Exception {
    Receiver receiver = Receiver.answering(200);
    String url = receiver.url();
    receiver.close();

    Attempt attempt = send(url);

    assertThat(attempt.answer()).contains("refused");
    assertThat(attempt.pauseMs()).isBetween(1_000L, 1_200L);
  }
}
