package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The process dies while buyers are at it; started again, it owes nobody anything. */
class KillInMidSaleIT {
  private static final Path DIRECTORY = Path.of("target", "kill-in-mid-sale-it");
  private static final int STOCK = 120;
  private static final int BUYERS = 400;
  private static final int AT_ONCE = 16;
  private static final int ACCEPTED_BEFORE_THE_KILL = 50;

  private final Map<Long, String> accepted = new ConcurrentHashMap<>();

  @Test
  void shouldTurnEveryAcceptedPurchaseIntoAnOrder() throws Exception {
    long product = Products.next();
    try (ApplicationProcess application = ApplicationProcess.embedded(DIRECTORY, Map.of())) {
      Shop shop = application.start().awaitReady().shop();
      assertThat(shop.createSale(product, STOCK).status()).isEqualTo(201);

      List<Long> unanswered = buy(shop, product, buyers(), application);
      assertThat(application.isAlive()).isFalse();
      assertThat(unanswered).as("buyers the kill cut off").isNotEmpty();
      assertThat(accepted).hasSizeGreaterThanOrEqualTo(ACCEPTED_BEFORE_THE_KILL);

      application.start().awaitReady();
      List<Long> asking = unanswered;
      while (!asking.isEmpty()) {
        asking = buy(shop, product, asking, null);
      }

      assertThat(accepted).as("every unit found a buyer").hasSize(STOCK);
      accepted.forEach(
          (userId, requestId) ->
              assertThat(shop.awaitEnd(userId, requestId)).as(requestId).isEqualTo("SUCCESS"));
      JsonNode ledger = shop.awaitRest(product);
      assertThat(ledger.path("balanced").asBoolean()).as(ledger.toString()).isTrue();
      assertThat(ledger.path("sold").asLong()).isEqualTo(STOCK);
      assertThat(ledger.path("available").asLong()).isZero();
      assertThat(ledger.path("orders").path("success").asLong()).isEqualTo(STOCK);
      application.terminate();
    }
  }

  private static List<Long> buyers() {
    return LongStream.rangeClosed(1, BUYERS).boxed().toList();
  }

  /**
   * Every user buys once, under a key of his own; the application is killed when enough are in.
   *
   * @return users without an answer, or told to ask again, in their order
   */
  private List<Long> buy(Shop shop, long product, List<Long> users, ApplicationProcess toKill)
      throws InterruptedException {
    Semaphore atOnce = new Semaphore(AT_ONCE);
    Map<Long, CompletableFuture<Reply>> replies = new ConcurrentHashMap<>();
    for (long user : users) {
      if (toKill != null && toKill.isAlive() && accepted.size() >= ACCEPTED_BEFORE_THE_KILL) {
        toKill.kill();
      }
      atOnce.acquire();
      replies.put(
          user,
          shop.buyAsync(product, user, "key-" + user, null)
              .whenComplete(
                  (reply, failure) -> {
                    if (reply != null && isAccepted(reply)) {
                      accepted.put(user, reply.requestId());
                    }
                    atOnce.release();
                  }));
    }
    List<Long> unanswered = new ArrayList<>();
    for (long user : users) {
      Reply reply = replies.get(user).exceptionally(failure -> null).join();
      if (reply == null || reply.status() == 503) {
        unanswered.add(user);
      } else if (!isAccepted(reply)) {
        assertThat(reply.code()).as(reply.text()).isEqualTo("FAIL_SOLD_OUT");
      }
    }
    return unanswered;
  }

  /** 202, or 200 for one that had ended before the kill kept its answer from its buyer. */
  private static boolean isAccepted(Reply reply) {
    return reply.status() == 202 || reply.status() == 200;
  }
}
