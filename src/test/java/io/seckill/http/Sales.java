package io.seckill.http;

import io.seckill.book.script.Script;
import io.seckill.redis.ScriptCall;
import io.seckill.redis.ScriptRunner;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRegistry;
import io.seckill.testing.Products;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;

/** Puts sales into MySQL and Redis directly, for tests that are not about administration. */
public final class Sales {
  private final TestApplication application;

  public Sales(TestApplication application) {
    this.application = application;
  }

  /** A sale that is on, of this many units, one a buyer. */
  public long open(long stock) {
    return create(stock, 1, null, null, Sale.State.OPEN);
  }

  /** A sale with a book. */
  public long create(long stock, int maxQuantity, Long startsAt, Long endsAt, Sale.State state) {
    long productId = unpreheated(stock, maxQuantity, startsAt, endsAt, state);
    preheat(productId, stock, maxQuantity, startsAt, endsAt, state);
    return productId;
  }

  /** A sale that MySQL and the application know, but Redis does not. */
  public long withoutBook() {
    return unpreheated(10, 1, null, null, Sale.State.OPEN);
  }

  /** A book of a sale that MySQL does not know, so that no relay reads its outbox. */
  public long bookOnly(long stock) {
    long productId = Products.next();
    preheat(productId, stock, 1, null, null, Sale.State.OPEN);
    return productId;
  }

  /** Makes the book of a sale without one, so that other tests do not see a loss. */
  public void giveBook(long productId) {
    preheat(productId, 10, 1, null, null, Sale.State.OPEN);
  }

  private void preheat(
      long productId, long stock, int maxQuantity, Long startsAt, Long endsAt, Sale.State state) {
    application
        .bean(ScriptRunner.class)
        .call(
            Script.PREHEAT,
            ScriptCall.of(
                productId,
                "1",
                Long.toString(stock),
                Integer.toString(maxQuantity),
                startsAt == null ? "" : startsAt.toString(),
                endsAt == null ? "" : endsAt.toString(),
                state.name()));
  }

  private long unpreheated(
      long stock, int maxQuantity, Long startsAt, Long endsAt, Sale.State state) {
    long productId = Products.next();
    long now = System.currentTimeMillis();
    TestServers.get()
        .update(
            "INSERT INTO products (id, name, count, initial_stock, max_quantity, starts_at, ends_at,"
                + " state, preheated, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)",
            productId,
            "Product \"" + productId + "\"",
            stock,
            stock,
            maxQuantity,
            startsAt,
            endsAt,
            state.name(),
            now,
            now);
    application
        .bean(SaleRegistry.class)
        .put(
            new Sale(
                productId,
                "Product \"" + productId + "\"",
                stock,
                0,
                maxQuantity,
                startsAt,
                endsAt,
                null,
                null,
                state,
                1,
                true));
    return productId;
  }

  /** A row as the writer, or compensation, leaves it. */
  public long order(long productId, long userId, String requestId, String key, String status) {
    TestServers servers = TestServers.get();
    servers.update(
        "INSERT INTO seckill_orders (request_id, product_id, user_id, quantity, idem_key, status,"
            + " reason, attempt, epoch, created_at) VALUES (?, ?, ?, 1, ?, ?, ?, 'test', 1, ?)",
        requestId,
        productId,
        userId,
        productId + ":" + userId + ":" + key,
        status,
        status.equals("SUCCESS") ? null : "told so",
        System.currentTimeMillis());
    return servers.number("SELECT id FROM seckill_orders WHERE request_id = ?", requestId);
  }
}
