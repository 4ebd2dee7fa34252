package io.seckill.api;

import io.seckill.answer.Answer;
import io.seckill.answer.JsonObject;
import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.domain.BookSnapshot;
import io.seckill.sale.Phase;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRegistry;
import java.time.Clock;
import java.time.Instant;

/** Makes the public answers about a sale from this node's memory. */
public final class SaleAnswers {
  private final SaleRegistry sales;
  private final Clock clock;

  public SaleAnswers(SaleRegistry sales, Clock clock) {
    this.sales = sales;
    this.clock = clock;
  }

  /**
   * The sale's name, phase and window.
   *
   * @throws Refusal 404 UNKNOWN_PRODUCT, or 503 DEGRADED until the list of sales is read
   */
  public Answer sale(long productId) {
    Sale sale =
        sales
            .find(productId)
            .orElseThrow(() -> sales.isLoaded() ? Refusals.unknownProduct() : Refusals.degraded());
    BookSnapshot book = sales.book(productId).orElse(null);
    long now = clock.millis();
    return Answer.json(
        200,
        new JsonObject()
            .put("productId", productId)
            .put("name", sale.name())
            .put("state", Phase.of(sale, book, now).name())
            .put("startsAt", instant(sale.startsAt()))
            .put("endsAt", instant(sale.endsAt()))
            .put("serverTime", instant(now))
            .toBytes());
  }

  private static String instant(Long millis) {
    return millis == null ? null : Instant.ofEpochMilli(millis).toString();
  }
}
