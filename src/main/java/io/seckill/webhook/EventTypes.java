package io.seckill.webhook;

import java.util.List;

/** The types of events. */
final class EventTypes {
  /** What an endpoint can ask for: the types of the topic of results. */
  static final List<String> KNOWN =
      List.of(
          "io.seckill.order.success",
          "io.seckill.order.failed",
          "io.seckill.sale.opened",
          "io.seckill.sale.sold-out",
          "io.seckill.sale.ended",
          "io.seckill.sale.settled");

  /** The event that {@code POST /admin/webhooks/{webhookId}/test} sends. */
  static final String TEST = "io.seckill.webhook.test";

  private EventTypes() {}
}
