package io.seckill.webhook;

import static io.seckill.webhook.Hooks.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.TestApplication;
import io.seckill.webhook.Hooks.Hook;
import io.seckill.webhook.Receiver.Answer;
import io.seckill.webhook.Receiver.Received;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several nodes share the deliveries, also when one of them dies. */
class WebhookNodesIT {
  @TempDir private Path directory;

  /** An answer may be lost, so what counts is that each try reached the endpoint once. */
  @Test
  void shouldSendEachEventOnceWithTwoNodes() {
    Map<String, String> properties = Hooks.properties("webhooknodes", 8);
    try (Receiver receiver = Receiver.answering(200);
        TestApplication first = TestApplication.start(properties);
        TestApplication second = TestApplication.start(properties)) {
      second.awaitReady();
      Hooks hooks = new Hooks(first.awaitReady().shop());
      long product = hooks.sale(60);
      Hook hook = hooks.add(receiver.url(), product);

      List<String> ids = hooks.buy(product, 60);

      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(hooks.deliveries(hook))
                      .hasSize(60)
                      .allMatch(it -> it.path("state").asText().equals("DELIVERED")));
      int tries = hooks.deliveries(hook).stream().mapToInt(it -> it.path("attempts").asInt()).sum();
      assertThat(receiver.received()).hasSize(tries);
      assertThat(receiver.received()).extracting(Received::id).containsAll(ids);
    }
  }

  @Test
  void shouldTakeOverFromAKilledNodeOnceItsLeaseHasEnded() {
    Map<String, String> properties = Hooks.properties("webhookkill", 8);
    properties.put("seckill.webhooks.timeout", "60000");
    properties.put("seckill.webhooks.lease", "8000");
    CountDownLatch killed = new CountDownLatch(1);
    try (Receiver receiver = Receiver.answering(request -> afterwards(killed));
        ApplicationProcess first = ApplicationProcess.external(directory, properties)) {
      Hooks hooks = new Hooks(first.start().awaitReady().shop());
      long product = hooks.sale(5);
      Hook hook = hooks.add(receiver.url(), product);
      String id = hooks.buy(product, 1).get(0);
      await().atMost(LIMIT).until(() -> !receiver.received(id).isEmpty());
      Instant leaseEnd = Instant.parse(hooks.awaitOnly(hook, "WAITING", 0).path("dueAt").asText());

      first.kill();
      int before = receiver.received(id).size();
      killed.countDown();

      try (TestApplication second = TestApplication.start(properties)) {
        JsonNode delivery = new Hooks(second.awaitReady().shop()).awaitOnly(hook, "DELIVERED", 1);
        assertThat(Instant.parse(delivery.path("attemptedAt").asText())).isAfterOrEqualTo(leaseEnd);
        assertThat(receiver.received(id)).hasSize(before + 1);
      }
    }
  }

  private static Answer afterwards(CountDownLatch latch) {
    try {
      return Answer.of(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS) ? 200 : 500);
    } catch (InterruptedException stopped) {
      return Answer.of(500);
    }
  }
}
