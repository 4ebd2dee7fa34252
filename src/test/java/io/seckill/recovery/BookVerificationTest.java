package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.seckill.book.BookVerifier.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;

class BookVerificationTest {
  private static final JudgedSale SALE = new JudgedSale(7, 1, false);

  private final CountDownLatch sent = new CountDownLatch(1);

  @Test
  void shouldNotLookAtKafkaBeforeTheRelayHasEndedWhatItReadBefore() throws Exception {
    try (CamelContext context = context();
        BookVerification verification = verification(context, Duration.ofMinutes(1))) {
      context.createProducerTemplate().asyncSendBody("direct:relay", "entries of another run");
      await().until(() -> context.getInflightRepository().size("relay") == 1);

      assertThat(verification.products()).containsExactly(7L);
      Verdict verdict = verification.judge(7, Optional.empty());
      assertThat(verdict.current()).isFalse();
      assertThat(verdict.reason()).contains("on their way to Kafka");

      sent.countDown();
      await().until(() -> context.getInflightRepository().size("relay") == 0);
      assertThatThrownBy(() -> verification.judge(7, Optional.empty()))
          .hasMessage("Kafka is asked");
    }
  }

  @Test
  void shouldNotWaitLongerThanARecordMayTake() throws Exception {
    try (CamelContext context = context();
        BookVerification verification = verification(context, Duration.ZERO)) {
      context.createProducerTemplate().asyncSendBody("direct:relay", "entries of another run");
      await().until(() -> context.getInflightRepository().size("relay") == 1);

      verification.products();

      assertThatThrownBy(() -> verification.judge(7, Optional.empty()))
          .hasMessage("Kafka is asked");
      sent.countDown();
    }
  }

  private static BookVerification verification(CamelContext context, Duration sendTimeout) {
    return new BookVerification(
        context,
        () -> {
          throw new IllegalStateException("Kafka is asked");
        },
        "orders",
        "writers",
        "relay",
        sendTimeout);
  }

  private CamelContext context() throws Exception {
    CamelContext context = new DefaultCamelContext();
    context.addRoutes(
        new RouteBuilder() {
          @Override
          public void configure() {
            from("direct:relay")
                .routeId("relay")
                .process(exchange -> sent.await(60, TimeUnit.SECONDS));
            from("direct:verification-sales").setBody(constant(List.of(SALE)));
          }
        });
    context.start();
    return context;
  }
}
