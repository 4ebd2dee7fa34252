package io.seckill.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.webhook.WebhookTurns.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WebhookTurnsTest {
  private static final Duration LONG = Duration.ofHours(1);

  private static List<DueEndpoint> due(long... ids) {
    return LongStream.of(ids).mapToObj(id -> new DueEndpoint(id, 0)).toList();
  }

  private static Attempt attempt(long webhookId, DeliveryState state) {
    return new Attempt(1, webhookId, 1, state, 500, "", 1, null);
  }

  @Test
  void shouldShareTurnsAmongEndpoints() {
    WebhookTurns turns = new WebhookTurns(5, 2, LONG, LONG);

    List<Turn> begun = new ArrayList<>(turns.begin(due(1)));
    assertThat(begun).extracting(Turn::webhookId).containsExactly(1L, 1L);
    assertThat(turns.begin(due(1))).isEmpty();
    assertThat(turns.begin(due(1, 2, 3))).extracting(Turn::webhookId).contains(2L, 3L).hasSize(3);
    assertThat(turns.begin(due(4))).isEmpty();

    turns.end(begun.get(0));

    assertThat(turns.begin(due(1, 4))).hasSize(1);
  }

  @Test
  void shouldEndATurnWithoutDeliveries() {
    WebhookTurns turns = new WebhookTurns(5, 2, LONG, LONG);
    Turn turn = turns.begin(due(1)).get(0);
    assertThat(turns.mayTake(turn)).isTrue();

    assertThat(turns.mayTake(turns.none(turn))).isFalse();
  }

  @Test
  void shouldLeaveAnEndpointAloneThatFailsAgainAndAgain() {
    WebhookTurns turns = new WebhookTurns(5, 1, LONG, Duration.ofMillis(50));
    Turn failing = turns.begin(due(1)).get(0);
    Turn other = turns.begin(due(2)).get(0);
    for (int i = 0; i < 10; i++) {
      assertThat(turns.mayTake(failing)).as("try " + i).isTrue();
      turns.sent(attempt(1, DeliveryState.WAITING));
    }
    assertThat(turns.mayTake(other)).isTrue();

    // it is tried again, and closes
    await().until(() -> turns.mayTake(failing));
    turns.sent(attempt(1, DeliveryState.DELIVERED));
    await().until(() -> turns.mayTake(failing));
    turns.sent(attempt(1, DeliveryState.DELIVERED));
    assertThat(turns.mayTake(failing)).isTrue();
  }

  @Test
  void shouldTakeNoDeliveryWhileTheBreakerIsOpen() {
    WebhookTurns turns = new WebhookTurns(5, 1, LONG, LONG);
    Turn failing = turns.begin(due(1)).get(0);
    for (int i = 0; i < 10; i++) {
      assertThat(turns.mayTake(failing)).as("try " + i).isTrue();
      turns.sent(attempt(1, DeliveryState.WAITING));
    }

    assertThat(turns.mayTake(failing)).isFalse();
  }
}
