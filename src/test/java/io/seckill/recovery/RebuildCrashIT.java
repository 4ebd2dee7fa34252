package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.book.BookKeys;
import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application is killed in the middle of a rebuild. */
class RebuildCrashIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private static OwnServers servers;

  @TempDir private Path directory;

  private final long productId = Products.next();
  private ApplicationProcess application;

  @BeforeAll
  static void startServers() {
    servers = OwnServers.start();
  }

  @AfterAll
  static void stopServers() {
    servers.close();
  }

  @AfterEach
  void stop() {
    application.close();
  }

  private Shop startApplication() {
    application =
        ApplicationProcess.external(directory, servers.properties(java.util.Map.of())).start();
    return application.shop();
  }

  private void restart() {
    application.kill();
    application.start();
  }

  private void sale(Shop shop, long stock) {
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> shop.createSale(productId, stock).status() < 300);
  }

  private CompletableFuture<Shop.Reply> rebuildInBackground(Shop shop) {
    return CompletableFuture.supplyAsync(
        () -> shop.admin("POST", "/admin/sales/" + productId + "/rebuild", null));
  }

  @Test
  void shouldStayShutAfterACrashInTheDrainAndOpenWhenCalledAgain() throws Exception {
    Shop shop = startApplication();
    long blocker = Products.next();
    sale(shop, 5);
    assertThat(shop.createSale(blocker, 5).status()).isEqualTo(201);
    assertThat(shop.buyOnceOpen(productId, 1, "k").status()).isEqualTo(202);
    servers.awaitSold(shop, productId, 1);
    String second;
    try (Connection holder = servers.open()) {
      holder.setAutoCommit(false);
      try (PreparedStatement lock =
          holder.prepareStatement("SELECT id FROM products WHERE id = ? FOR UPDATE")) {
        lock.setLong(1, blocker);
        lock.executeQuery();
        for (long user = 1; user <= 40; user++) {
          shop.buy(blocker, user, "k");
        }
        second = shop.buyOnceOpen(productId, 2, "k").requestId();
        CompletableFuture<Shop.Reply> rebuild = rebuildInBackground(shop);
        await()
            .atMost(LIMIT)
            .until(() -> servers.commands().hexists(BookKeys.sale(productId), "closed"));
        restart();
        assertThat(rebuild.handle((reply, error) -> error != null).join()).isTrue();
      }
      assertThat(shop.buy(productId, 3, "k").status()).isEqualTo(503);
      holder.rollback();
    }
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(
            () -> shop.admin("GET", "/admin/sales", null).text(),
            text -> text.contains("a rebuild has begun and not ended"));
    Shop.Reply again = shop.admin("POST", "/admin/sales/" + productId + "/rebuild", null);
    assertThat(again.status()).as(again.text()).isEqualTo(200);
    assertThat(shop.awaitEnd(2, second)).isEqualTo("SUCCESS");
    assertThat(shop.buyOnceOpen(productId, 3, "k").status()).isEqualTo(202);
    servers.awaitSold(shop, productId, 3);
    assertThat(noted()).isZero();
  }

  private long noted() {
    return servers.number(
        "SELECT COUNT(*) FROM products WHERE id = ? AND rebuild_since IS NOT NULL", productId);
  }

  @Test
  void shouldBeRepeatedAfterACrashBetweenEpochAndSwap() {
    Shop shop = startApplication();
    sale(shop, 250_000);
    assertThat(shop.buyOnceOpen(productId, 1, "k").status()).isEqualTo(202);
    servers.awaitSold(shop, productId, 1);
    servers.update(
        "INSERT INTO seckill_orders (request_id, product_id, user_id, quantity, idem_key, status,"
            + " attempt, epoch, outbox_id, created_at) SELECT CONCAT(?, '-', seq,"
            + " '-abcdefghijklmnop'), ?, seq, 1, CONCAT(?, ':', seq, ':key'), 'SUCCESS', 'test', 1,"
            + " CONCAT('5-', seq), 0 FROM seq_1001_to_200000",
        productId,
        productId,
        productId);
    servers.commands().unlink(BookKeys.all(productId));
    CompletableFuture<Shop.Reply> rebuild = rebuildInBackground(shop);
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(5))
        .until(
            () ->
                servers.commands().hlen("seckill:{" + productId + "}:staging:users") > 1_000
                    && servers.number("SELECT epoch FROM products WHERE id = ?", productId) == 2);
    application.kill();
    assertThat(rebuild.handle((reply, error) -> error != null).join()).isTrue();
    assertThat(servers.commands().exists(BookKeys.sale(productId))).isZero();
    assertThat(noted()).isEqualTo(1);
    application.start();

    Shop.Reply refused = shop.buy(productId, 5, "k");
    assertThat(refused.status()).isEqualTo(503);
    Shop.Reply again = shop.admin("POST", "/admin/sales/" + productId + "/rebuild", null);
    assertThat(again.status()).as(again.text()).isEqualTo(200);
    assertThat(again.json().path("epoch").asLong()).isEqualTo(3);
    assertThat(again.json().path("after").path("entries").asLong()).isEqualTo(199_001);
    assertThat(servers.commands().keys("seckill:{" + productId + "}:staging:*")).isEmpty();
    assertThat(shop.buyOnceOpen(productId, 5, "k").status()).isEqualTo(202);
    servers.awaitSold(shop, productId, 199_002);
    assertThat(noted()).isZero();
  }

  @Test
  void shouldForgetTheNoteOfARebuildThatCrashedAfterItsSwap() {
    Shop shop = startApplication();
    sale(shop, 5);
    assertThat(shop.buyOnceOpen(productId, 1, "k").status()).isEqualTo(202);
    servers.awaitSold(shop, productId, 1);
    servers.update("UPDATE products SET rebuild_since = 5 WHERE id = ?", productId);
    restart();
    assertThat(shop.buyOnceOpen(productId, 2, "k").status()).isEqualTo(202);
    await().atMost(LIMIT).until(() -> noted() == 0);
    servers.awaitSold(shop, productId, 2);
  }
}
