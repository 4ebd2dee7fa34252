package io.seckill.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.kafka.ReceivedRecord;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WebhookEventsTest {
  private static final String TYPE = "io.seckill.order.success";

  private final WebhookEvents events = new WebhookEvents();

  private static ReceivedRecord polled(String id, String type, String value) {
    Map<String, byte[]> headers = new LinkedHashMap<>();
    headers.put("ce_id", id.getBytes(StandardCharsets.UTF_8));
    headers.put("ce_type", type.getBytes(StandardCharsets.UTF_8));
    return new ReceivedRecord(
        "results", 0, 1, 1_700_000_000_000L, value.getBytes(StandardCharsets.UTF_8), headers);
  }

  @Test
  void shouldMakeTheBodyOfAnEvent() {
    WebhookEvent event =
        events.read(List.of(polled("a", TYPE, "{\"productId\":7,\"status\":\"SUCCESS\"}"))).get(0);

    assertThat(event.productId()).isEqualTo(7);
    assertThat(new String(event.body(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"type\":\"io.seckill.order.success\",\"timestamp\":\"2023-11-14T22:13:20Z\","
                + "\"data\":{\"productId\":7,\"status\":\"SUCCESS\"}}");
  }

  /** A record that cannot be sent must not keep the others waiting. */
  @Test
  void shouldLeaveOutWhatCannotBeSent() {
    List<ReceivedRecord> records =
        List.of(
            polled("", TYPE, "{}"),
            polled("a\r\nb", TYPE, "{}"),
            polled("ä", TYPE, "{}"),
            polled("x".repeat(256), TYPE, "{}"),
            polled("b", "t".repeat(65), "{}"),
            polled("c", TYPE, "no JSON"),
            polled("d", TYPE, "{\"x\":\"" + "x".repeat(WebhookEvents.MAX_BODY) + "\"}"),
            new ReceivedRecord("results", 0, 2, 1, new byte[0], Map.of()),
            polled("e", TYPE, "{}"));

    assertThat(events.read(records)).extracting(WebhookEvent::id).containsExactly("e");
  }

  @Test
  void shouldMakeOneDeliveryForEachEndpointThatAsks() {
    List<WebhookEvent> read =
        events.read(
            List.of(
                polled("b", TYPE, "{\"productId\":7}"),
                polled("a", "io.seckill.order.failed", "{\"productId\":8}")));
    List<Subscription> subscriptions =
        List.of(
            new Subscription(3, TYPE, null, null),
            new Subscription(1, TYPE + ",io.seckill.order.failed", null, null),
            new Subscription(4, TYPE, 8L, null),
            new Subscription(5, TYPE, null, 70L),
            new Subscription(6, TYPE, null, 80L));

    assertThat(events.products(read)).containsExactly(7L, 8L);
    assertThat(events.deliveries(read, subscriptions, List.of(new ProductActivity(7, 70))))
        .extracting(delivery -> delivery.webhookId() + " " + delivery.eventId())
        .containsExactly("1 a", "1 b", "3 b", "5 b");
  }
}
