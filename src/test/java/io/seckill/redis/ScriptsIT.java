package io.seckill.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.Consumer;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.seckill.book.Book;
import io.seckill.book.BookKeys;
import io.seckill.domain.RequestId;
import io.seckill.testing.Products;
import io.seckill.testing.TestServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every branch of every script, on a real Redis. */
class ScriptsIT {
  private static final long FAR = 4_000_000_000_000L;

  private static Redis.Node node;
  private static RedisClient listener;
  private static StatefulRedisPubSubConnection<String, String> subscription;
  private static final List<String> EVENTS = new CopyOnWriteArrayList<>();

  private long product;
  private BookScripts book;

  @BeforeAll
  static void connect() throws InterruptedException {
    node = Redis.node().ready();
    listener = RedisClient.create(TestServers.get().redisUri());
    subscription = listener.connectPubSub();
    subscription.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(String channel, String message) {
            EVENTS.add(message);
          }
        });
    subscription.sync().subscribe("seckill:events");
  }

  @AfterAll
  static void disconnect() {
    listener.shutdown();
    node.close();
  }

  @BeforeEach
  void takeProduct() {
    product = Products.next();
    book = new BookScripts(node.scripts, product);
  }

  @AfterEach
  void everySnapshotBalances() {
    node.scripts.book(product).ifPresent(now -> assertThat(now.balanced()).as("%s", now).isTrue());
  }

  private void published(String event) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(EVENTS).contains(event));
  }

  private List<Map<String, String>> outbox() {
    return TestServers.get()
        .redisCommands()
        .xrange(BookKeys.outbox(product), Range.unbounded())
        .stream()
        .map(StreamMessage::getBody)
        .toList();
  }

  @Nested
  class RetireBook {
    @Test
    void shouldRemoveOnlyABookThatHasEndedAndIsAtRest() {
      book.preheat(10, 2);
      book.reserve(1, "k", 2);
      List<Object> stays = List.of(0L);
      assertThat(book.run("retire-book", 1)).as("on sale").isEqualTo(stays);
      book.run("sale-state", "ENDED");
      assertThat(book.run("retire-book", 1)).as("pending").isEqualTo(stays);
      book.confirm(1, "k", 9, 2);
      assertThat(book.run("retire-book", 1)).as("in the outbox").isEqualTo(stays);
      drainOutbox();
      assertThat(book.run("retire-book", 2)).as("of another epoch").isEqualTo(stays);
      assertThat(book.book().sold()).isEqualTo(2);

      assertThat(book.run("retire-book", 1)).isEqualTo(List.of(1L, 1L));

      assertThat(TestServers.get().redisCommands().exists(BookKeys.all(product))).isZero();
      assertThat(book.run("retire-book", 1)).isEqualTo(List.of(-1L));
      assertThatThrownBy(() -> book.run("retire-book")).isInstanceOf(ScriptException.class);
      assertThatThrownBy(() -> book.run("retire-book", "x")).isInstanceOf(ScriptException.class);
    }
  }

  private String outboxId(long userId, String key) {
    return (String) book.lookup(userId, key).get(7);
  }

  private void drainOutbox() {
    Stream<String> ids =
        TestServers.get()
            .redisCommands()
            .xrange(BookKeys.outbox(product), Range.unbounded())
            .stream()
            .map(StreamMessage::getId);
    book.run("acknowledge", Stream.concat(Stream.of("relay"), ids).toArray());
  }

  @Nested
  class WithoutBook {
    @Test
    void shouldWriteNothingAndSaySo() {
      List<Object> none = List.of(-1L);
      assertThat(book.reserve(1, "k", 1)).isEqualTo(none);
      assertThat(book.confirm(1, "k", 9, 1)).isEqualTo(none);
      assertThat(book.release(1, "k")).isEqualTo(none);
      assertThat(book.writeOff(1, "k")).isEqualTo(none);
      assertThat(book.run("sale-state", "PAUSED")).isEqualTo(none);
      assertThat(book.run("sale-state", "WINDOW", "", "")).isEqualTo(none);
      assertThat(book.lookup(1, "k")).isEqualTo(none);
      assertThat(book.run("overdue", FAR, 10)).isEqualTo(none);
      assertThat(book.run("resend", book.requestId(1, "k"))).isEqualTo(none);
      assertThat(book.run("ledger")).isEqualTo(none);
      assertThat(book.run("restock", 5, 5)).isEqualTo(none);
      assertThat(book.run("settle-begin")).isEqualTo(none);
      assertThat(book.run("retire-book", 1)).isEqualTo(none);
      assertThat(book.run("preheat", 1, 5, 1, "", "", "OPEN", "existing")).isEqualTo(none);
      assertThat(book.run("acknowledge", "relay", "1-0")).isEqualTo(List.of(1L, 0L));
      assertThat(book.run("retire-readers", "relay", 0)).isEqualTo(List.of(1L, 0L));
      assertThat(TestServers.get().redisCommands().exists(BookKeys.all(product))).isZero();
    }
  }

  @Nested
  class Reserve {
    @Test
    void shouldMoveUnitsToPendingAndWriteTheOutbox() {
      book.preheat(10, 5);
      long moves = book.book().moves();

      assertThat(book.reserve(7, "k1", 3)).isEqualTo(List.of(1L, book.requestId(7, "k1"), 7L));

      Book now = book.book();
      assertThat(now.available()).isEqualTo(7);
      assertThat(now.pending()).isEqualTo(3);
      assertThat(now.moves()).isEqualTo(moves + 1);
      assertThat(now.outboxLength()).isEqualTo(1);
      assertThat(now.oldestOutboxId()).isEqualTo(now.lastOutboxId()).isEqualTo(outboxId(7, "k1"));
      assertThat(outbox())
          .containsExactly(
              Map.of(
                  "requestId", book.requestId(7, "k1"),
                  "userId", "7",
                  "idemKey", "k1",
                  "quantity", "3",
                  "epoch", "1",
                  "resent", "0"));
      assertThat(TestServers.get().redisCommands().zscore(BookKeys.pending(product), "7"))
          .isEqualTo(Book.millisOf(now.lastOutboxId()));
    }

    @Test
    void shouldReplayTheSameKeyWhateverTheSaleHasComeTo() {
      book.preheat(1, 1);
      book.reserve(7, "k", 1);
      List<Object> replay = List.of(3L, book.requestId(7, "k"), "PENDING", "", "");
      assertThat(book.reserve(7, "k", 1)).isEqualTo(replay);
      book.run("sale-state", "PAUSED");
      assertThat(book.reserve(7, "k", 1)).isEqualTo(replay);
      book.run("sale-state", "ENDED");
      assertThat(book.reserve(7, "k", 1)).isEqualTo(replay);
      book.confirm(7, "k", 99, 1);
      assertThat(book.reserve(7, "k", 1))
          .isEqualTo(List.of(3L, book.requestId(7, "k"), "SUCCESS", "99", ""));
      assertThat(book.book().outboxLength()).isEqualTo(1);
    }

    @Test
    void shouldRefuseAKeyWithAnotherQuantity() {
      book.preheat(10, 5);
      book.reserve(7, "k", 2);
      assertThat(book.reserve(7, "k", 1)).isEqualTo(List.of(4L, 2L));
      book.release(7, "k");
      assertThat(book.reserve(7, "k", 1)).isEqualTo(List.of(4L, 2L));
    }

    @Test
    void shouldRefuseASecondLivePurchaseUnderAnotherKey() {
      book.preheat(10, 5);
      book.reserve(7, "k1", 1);
      List<Object> live = List.of(2L, book.requestId(7, "k1"), "k1");
      assertThat(book.reserve(7, "k2", 1)).isEqualTo(live);
      book.confirm(7, "k1", 5, 1);
      assertThat(book.reserve(7, "k2", 1)).isEqualTo(live);
    }

    @Test
    void shouldTellALivePurchaseBeforeWindowLimitAndStock() {
      book.preheat(1, 1);
      book.reserve(7, "k1", 1);
      book.run("sale-state", "ENDED");
      assertThat(book.reserve(7, "k2", 9).get(0)).isEqualTo(2L);
    }

    @Test
    void shouldJudgeTheWindowByRedisTime() {
      long now = System.currentTimeMillis();
      book.run("preheat", 1, 5, 1, now + 3_600_000, now + 7_200_000, "OPEN");
      List<Object> early = book.reserve(7, "k", 1);
      assertThat(early.subList(0, 2)).isEqualTo(List.of(5L, now + 3_600_000));
      assertThat((Long) early.get(2)).isLessThan(now + 3_600_000);
      book.run("sale-state", "WINDOW", now - 7_200_000, now - 3_600_000);
      assertThat(book.reserve(7, "k", 1)).isEqualTo(List.of(6L, Long.toString(now - 3_600_000)));
      book.run("sale-state", "WINDOW", now - 7_200_000, now + 3_600_000);
      assertThat(book.reserve(7, "k", 1).get(0)).isEqualTo(1L);
    }

    @Test
    void shouldRefuseWhilePausedAndOnceEnded() {
      book.preheat(5, 1);
      book.run("sale-state", "PAUSED");
      assertThat(book.reserve(7, "k", 1)).isEqualTo(List.of(7L));
      book.run("sale-state", "OPEN");
      assertThat(book.reserve(7, "k", 1).get(0)).isEqualTo(1L);
      book.run("sale-state", "ENDED");
      assertThat(book.reserve(8, "k", 1)).isEqualTo(List.of(6L, ""));
    }

    @Test
    void shouldTellPauseBeforeAWindowThatHasNotBegunAndEndBeforePause() {
      long now = System.currentTimeMillis();
      book.run("preheat", 1, 5, 1, now + 3_600_000, "", "PAUSED");
      assertThat(book.reserve(7, "k", 1)).isEqualTo(List.of(7L));
      book.run("sale-state", "WINDOW", "", now - 1_000);
      assertThat(book.reserve(7, "k", 1).get(0)).isEqualTo(6L);
    }

    @Test
    void shouldRefuseMoreThanTheLimitBeforeLookingAtTheStock() {
      book.preheat(0, 2);
      assertThat(book.reserve(7, "k", 3)).isEqualTo(List.of(8L, 2L));
      assertThat(book.reserve(7, "k", 2).get(0)).isEqualTo(0L);
    }

    @Test
    void shouldSayHowManyUnitsAreLeftWhenTheyAreTooFew() {
      book.preheat(3, 5);
      book.reserve(7, "k", 2);
      assertThat(book.reserve(8, "k", 2)).isEqualTo(List.of(0L, 1L, book.book().moves()));
      assertThat(book.reserve(8, "k", 1).get(0)).isEqualTo(1L);
      assertThat(book.reserve(9, "k", 1)).isEqualTo(List.of(0L, 0L, book.book().moves()));
    }

    @Test
    void shouldRefuseWhenTheOutboxIsFull() {
      book.preheat(9, 1);
      assertThat(book.run("reserve", 1, "k", book.requestId(1, "k"), 1, 1).get(0)).isEqualTo(1L);
      assertThat(book.run("reserve", 2, "k", book.requestId(2, "k"), 1, 1)).isEqualTo(List.of(9L));
      drainOutbox();
      assertThat(book.run("reserve", 2, "k", book.requestId(2, "k"), 1, 1).get(0)).isEqualTo(1L);
    }

    @Test
    void shouldKeepIdsOfNineteenDigitsExact() {
      product = Long.MAX_VALUE - Products.next() % 1_000_000;
      book = new BookScripts(node.scripts, product);
      book.preheat(1L << 52, 1_000);
      long user = Long.MAX_VALUE;
      assertThat(book.reserve(user, "k", 1_000).get(0)).isEqualTo(1L);
      assertThat(book.reserve(user, "k", 1_000).get(1)).isEqualTo(book.requestId(user, "k"));
      assertThat(book.confirm(user, "k", Long.MAX_VALUE, 1_000))
          .isEqualTo(List.of(1L, 1L, 0L, 0L, 0L));
      assertThat(book.lookup(user, "k").get(3)).isEqualTo(Long.toString(Long.MAX_VALUE));
      assertThat(book.book().available()).isEqualTo((1L << 52) - 1_000);
      TestServers.get().redisCommands().del(BookKeys.all(product));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "1.0", "01", " 1", "1e3", "x", ""})
    void shouldRefuseAQuantityThatIsNone(String quantity) {
      book.preheat(9, 1);
      assertThatThrownBy(() -> book.run("reserve", 1, "k", book.requestId(1, "k"), quantity, 0))
          .isInstanceOf(ScriptException.class);
      assertThat(book.book().available()).isEqualTo(9);
    }
  }

  @Nested
  class KeysOfBuyers {
    @ParameterizedTest
    @ValueSource(strings = {"", "a|b", "a b", "ä"})
    void shouldRefuseAKeyThatWouldBreakAnEntry(String key) {
      book.preheat(9, 1);
      assertThatThrownBy(() -> book.run("reserve", 1, key, book.requestId(1, "k"), 1, 0))
          .isInstanceOf(ScriptException.class);
      assertThat(book.book().available()).isEqualTo(9);
    }

    @Test
    void shouldTakeEveryKeyTheContractAllows() {
      book.preheat(9, 1);
      assertThat(book.reserve(1, "Az09._:-" + "x".repeat(32), 1).get(0)).isEqualTo(1L);
      assertThat(book.reserve(2, "-", 1).get(0)).isEqualTo(1L);
    }
  }

  @Nested
  class Confirm {
    @Test
    void shouldMovePendingToSoldOnce() {
      book.preheat(10, 5);
      book.reserve(1, "k", 2);
      book.reserve(2, "k", 1);
      long moves = book.book().moves();
      List<Object> reply =
          book.run(
              "confirm",
              book.requestId(1, "k"),
              11,
              2,
              book.requestId(2, "k"),
              12,
              1,
              book.requestId(2, "k"),
              12,
              1,
              book.requestId(3, "k"),
              13,
              1);
      assertThat(reply).isEqualTo(List.of(1L, 2L, 1L, 1L, 0L));
      assertThat(book.book().sold()).isEqualTo(3);
      assertThat(book.book().pending()).isZero();
      assertThat(book.book().moves()).isEqualTo(moves + 1);
      assertThat(book.confirm(1, "k", 11, 2)).isEqualTo(List.of(1L, 0L, 1L, 0L, 0L));
      assertThat(book.book().moves()).isEqualTo(moves + 1);
      assertThat(book.lookup(1, "k").subList(0, 7))
          .isEqualTo(List.of(3L, book.requestId(1, "k"), "SUCCESS", "11", "", "k", 2L));
      assertThat(TestServers.get().redisCommands().zcard(BookKeys.pending(product))).isZero();
    }

    @Test
    void shouldTakeFiveHundredAtOnceAndNoMore() {
      book.preheat(1_000, 1);
      IntStream.rangeClosed(1, 500).forEach(user -> book.reserve(user, "k", 1));
      List<Object> triples = new ArrayList<>();
      for (int user = 1; user <= 500; user++) {
        triples.addAll(List.of(book.requestId(user, "k"), 1_000 + user, 1));
      }
      assertThat(book.run("confirm", triples.toArray())).isEqualTo(List.of(1L, 500L, 0L, 0L, 0L));
      assertThat(book.book().sold()).isEqualTo(500);
      triples.addAll(List.of(book.requestId(501, "k"), 1, 1));
      assertThatThrownBy(() -> book.run("confirm", triples.toArray()))
          .isInstanceOf(ScriptException.class);
      assertThatThrownBy(() -> book.run("confirm")).isInstanceOf(ScriptException.class);
    }

    @Test
    void shouldNotTouchAReservationOfAnotherKey() {
      book.preheat(10, 5);
      book.reserve(1, "k1", 1);
      assertThat(book.confirm(1, "k2", 5, 1)).isEqualTo(List.of(1L, 0L, 0L, 1L, 0L));
      assertThat(book.book().pending()).isEqualTo(1);
    }

    @Test
    void shouldNotSellWhatWasReleased() {
      book.preheat(10, 5);
      book.reserve(1, "k", 1);
      book.release(1, "k");
      assertThat(book.confirm(1, "k", 5, 1)).isEqualTo(List.of(1L, 0L, 0L, 1L, 0L));
      assertThat(book.lookup(1, "k").get(2)).isEqualTo("FAIL_SYSTEM");
    }

    @Test
    void shouldFollowTheQuantityOfMySql() {
      book.preheat(10, 5);
      book.reserve(1, "k", 3);
      assertThat(book.confirm(1, "k", 5, 2)).isEqualTo(List.of(1L, 1L, 0L, 0L, 0L));
      assertThat(book.book().sold()).isEqualTo(2);
      assertThat(book.book().available()).isEqualTo(8);
      assertThat(book.lookup(1, "k").get(6)).isEqualTo(2L);
      published("stock " + product + " 8 " + book.book().moves());
      book.reserve(2, "k", 1);
      assertThat(book.confirm(2, "k", 6, 4)).isEqualTo(List.of(1L, 1L, 0L, 0L, 0L));
      assertThat(book.book().sold()).isEqualTo(6);
      assertThat(book.book().available()).isEqualTo(4);
    }

    @Test
    void shouldTellTheUnitsNoStockCovers() {
      book.preheat(1, 5);
      book.reserve(1, "k", 1);
      assertThat(book.confirm(1, "k", 5, 4)).isEqualTo(List.of(1L, 1L, 0L, 0L, 3L));
      assertThat(book.book().sold()).isEqualTo(1);
    }

    @Test
    void shouldRefuseBadArgumentsBeforeWritingAnything() {
      book.preheat(10, 5);
      book.reserve(1, "k", 1);
      String good = book.requestId(1, "k");
      for (Object[] bad :
          new Object[][] {
            {good, 5},
            {good, 5, 0},
            {good, 5, "x"},
            {good, "5|6", 1},
            {good, 5, 1, "nonsense", 6, 1}
          }) {
        assertThatThrownBy(() -> book.run("confirm", bad)).isInstanceOf(ScriptException.class);
      }
      assertThat(book.book().pending()).isEqualTo(1);
    }

    @Test
    void shouldRefuseABookThatIsOutOfBalance() {
      book.preheat(10, 5);
      book.reserve(1, "k", 2);
      var redis = TestServers.get().redisCommands();
      redis.hset(BookKeys.sale(product), Map.of("pending", "1", "available", "9"));
      assertThatThrownBy(() -> book.confirm(1, "k", 5, 2)).isInstanceOf(ScriptException.class);
      assertThatThrownBy(() -> book.release(1, "k")).isInstanceOf(ScriptException.class);
      assertThatThrownBy(() -> book.writeOff(1, "k")).isInstanceOf(ScriptException.class);
      assertThat(book.lookup(1, "k").get(2)).isEqualTo("PENDING");
    }
  }

  @Nested
  class ReleaseAndWriteOff {
    @Test
    void shouldReturnUnitsOnceAndTellTheOthers() {
      book.preheat(3, 5);
      book.reserve(1, "k", 2);
      book.reserve(2, "k", 1);
      book.confirm(2, "k", 5, 1);
      List<Object> reply =
          book.run(
              "release",
              "FAIL_DUPLICATE",
              "another | order",
              book.requestId(1, "k"),
              "k",
              2,
              book.requestId(1, "k"),
              "k",
              2,
              book.requestId(2, "k"),
              "k",
              1,
              book.requestId(3, "k"),
              "k",
              1);
      assertThat(reply).isEqualTo(List.of(1L, 1L, 2L, 1L, 2L));
      Book now = book.book();
      assertThat(now.available()).isEqualTo(2);
      assertThat(now.released()).as("one that the book never knew too").isEqualTo(3);
      assertThat(now.sold()).isEqualTo(1);
      published("stock " + product + " 2 " + now.moves());
      assertThat(book.release(1, "k")).isEqualTo(List.of(1L, 0L, 0L, 1L, 2L));
      assertThat(book.book()).usingRecursiveComparison().ignoringFields("now").isEqualTo(now);
      assertThat(book.lookup(1, "k").subList(0, 6))
          .isEqualTo(
              List.of(3L, book.requestId(1, "k"), "FAIL_DUPLICATE", "", "another   order", "k"));
    }

    @Test
    void shouldAnswerAFailedKeyForEverWhileTheBuyerBuysAgain() {
      book.preheat(3, 5);
      book.reserve(1, "k1", 1);
      book.release(1, "k1");
      assertThat(book.reserve(1, "k1", 1))
          .isEqualTo(List.of(3L, book.requestId(1, "k1"), "FAIL_SYSTEM", "", "poison"));
      assertThat(book.reserve(1, "k2", 1).get(0)).isEqualTo(1L);
      assertThat(book.reserve(1, "k1", 1).get(2)).isEqualTo("FAIL_SYSTEM");
      book.writeOff(1, "k2");
      assertThat(book.reserve(1, "k3", 1).get(0)).isEqualTo(1L);
      book.confirm(1, "k3", 77, 1);
      assertThat(book.lookup(1, "k1").get(2)).isEqualTo("FAIL_SYSTEM");
      assertThat(book.lookup(1, "k2").get(2)).isEqualTo("FAIL_SOLD_OUT");
      assertThat(book.lookup(1, "k3").get(2)).isEqualTo("SUCCESS");
      assertThat(book.reserve(1, "k2", 1).get(2)).isEqualTo("FAIL_SOLD_OUT");
      assertThat(book.reserve(1, "k4", 1)).isEqualTo(List.of(2L, book.requestId(1, "k3"), "k3"));
    }

    @Test
    void shouldNotLetBeginAgainWhatMySqlHasEnded() {
      book.preheat(3, 5);
      assertThat(book.release(1, "k1")).isEqualTo(List.of(1L, 0L, 0L, 1L, 3L));
      assertThat(book.reserve(1, "k1", 1))
          .isEqualTo(List.of(3L, book.requestId(1, "k1"), "FAIL_SYSTEM", "", "poison"));
      assertThat(book.reserve(1, "k2", 1).get(0)).isEqualTo(1L);
      book.writeOff(1, "k1");
      assertThat(book.lookup(1, "k1").get(2)).as("the first end stays").isEqualTo("FAIL_SYSTEM");
      assertThat(book.lookup(1, "k2").get(2)).isEqualTo("PENDING");
      assertThat(book.book().available()).isEqualTo(2);
    }

    @Test
    void shouldWriteUnitsOffWithoutReturningThem() {
      book.preheat(3, 5);
      book.reserve(1, "k", 2);
      assertThat(book.writeOff(1, "k")).isEqualTo(List.of(1L, 1L, 0L, 0L, 1L));
      assertThat(book.writeOff(1, "k")).isEqualTo(List.of(1L, 0L, 0L, 1L, 1L));
      assertThat(book.release(1, "k")).isEqualTo(List.of(1L, 0L, 0L, 1L, 1L));
      Book now = book.book();
      assertThat(now.writtenOff()).isEqualTo(2);
      assertThat(now.available()).isEqualTo(1);
      assertThat(now.released()).isZero();
      published("stock " + product + " 1 " + now.moves());
    }

    @Test
    void shouldNotReleaseTheBuyersNextPurchase() {
      book.preheat(3, 5);
      book.reserve(1, "k1", 1);
      book.release(1, "k1");
      book.reserve(1, "k2", 1);
      assertThat(book.release(1, "k1")).isEqualTo(List.of(1L, 0L, 0L, 1L, 2L));
      assertThat(book.lookup(1, "k2").get(2)).isEqualTo("PENDING");
    }

    @Test
    void shouldRefuseBadArgumentsBeforeWritingAnything() {
      book.preheat(10, 5);
      book.reserve(1, "k", 1);
      String good = book.requestId(1, "k");
      for (Object[] bad :
          new Object[][] {
            {"FAIL_SYSTEM", ""},
            {"SUCCESS", "", good, "k", 1},
            {"FAIL|X", "", good, "k", 1},
            {"FAIL_SYSTEM", "", good},
            {"FAIL_SYSTEM", "", good, "k|", 1},
            {"FAIL_SYSTEM", "", good, "k", 0},
            {"FAIL_SYSTEM", "", good, "k", 1, "nonsense", "k", 1}
          }) {
        assertThatThrownBy(() -> book.run("release", bad)).isInstanceOf(ScriptException.class);
      }
      Object[] many =
          Stream.concat(
                  Stream.of("FAIL_SYSTEM", ""),
                  IntStream.rangeClosed(1, 501)
                      .boxed()
                      .flatMap(user -> Stream.of(book.requestId(user, "k"), "k", 1)))
              .toArray();
      assertThatThrownBy(() -> book.run("release", many)).isInstanceOf(ScriptException.class);
      assertThat(book.book().pending()).isEqualTo(1);
    }
  }

  @Nested
  class Preheat {
    @Test
    void shouldCreateOnceAndPublish() {
      assertThat(book.preheat(10, 2)).isEqualTo(List.of(1L));
      published("sale " + product);
      assertThat(book.preheat(10, 2)).isEqualTo(List.of(2L, 0L));
      Book now = book.book();
      assertThat(now.initial()).isEqualTo(10);
      assertThat(now.maxQuantity()).isEqualTo(2);
      assertThat(now.state()).isEqualTo("OPEN");
      assertThat(now.startsAt()).isNull();
      assertThat(now.moves()).isEqualTo(1);
    }

    @Test
    void shouldChangeStockAndLimitUntilTheFirstReservation() {
      book.preheat(10, 2);
      book.run("restock", 5, 5);
      assertThat(book.preheat(20, 3)).isEqualTo(List.of(2L, 1L));
      assertThat(book.book().available()).isEqualTo(25);
      book.reserve(1, "k", 1);
      assertThat(book.preheat(30, 3)).isEqualTo(List.of(3L));
      assertThat(book.preheat(20, 4)).isEqualTo(List.of(3L));
      assertThat(book.preheat(20, 3)).isEqualTo(List.of(2L, 0L));
      book.release(1, "k");
      assertThat(book.preheat(30, 3)).isEqualTo(List.of(3L));
    }

    @Test
    void shouldMoveTheWindowAtAnyTimeAndLeaveTheState() {
      book.preheat(10, 2);
      book.reserve(1, "k", 1);
      book.run("sale-state", "PAUSED");
      assertThat(book.run("preheat", 1, 10, 2, 5, FAR, "OPEN")).isEqualTo(List.of(2L, 1L));
      Book now = book.book();
      assertThat(now.startsAt()).isEqualTo(5);
      assertThat(now.endsAt()).isEqualTo(FAR);
      assertThat(now.state()).isEqualTo("PAUSED");
    }

    @Test
    void shouldRefuseAnotherEpoch() {
      book.preheat(10, 2);
      assertThat(book.run("preheat", 2, 11, 2, "", "", "OPEN")).isEqualTo(List.of(4L, 1L));
      assertThat(book.book().initial()).isEqualTo(10);
    }

    @Test
    void shouldNotBuildOnWhatALostBookLeft() {
      book.preheat(10, 2);
      book.reserve(1, "k", 1);
      TestServers.get().redisCommands().del(BookKeys.sale(product));
      assertThat(book.preheat(10, 2)).isEqualTo(List.of(3L));
      TestServers.get().redisCommands().del(BookKeys.users(product), BookKeys.pending(product));
    }

    @Test
    void shouldRefuseBadArguments() {
      for (Object[] bad :
          new Object[][] {
            {1, 10, 1, "", ""},
            {1, -1, 1, "", "", "OPEN"},
            {1, 1.5, 1, "", "", "OPEN"},
            {1, 10, 0, "", "", "OPEN"},
            {"x", 10, 1, "", "", "OPEN"},
            {1, 10, 1, "soon", "", "OPEN"},
            {1, 10, 1, "", "-5", "OPEN"},
            {1, 10, 1, "", "", "SOLD_OUT"},
            {1, "9007199254740992", 1, "", "", "OPEN"}
          }) {
        assertThatThrownBy(() -> book.run("preheat", bad)).isInstanceOf(ScriptException.class);
      }
      assertThat(node.scripts.book(product)).isEmpty();
    }
  }

  @Nested
  class SaleState {
    @Test
    void shouldPauseResumeAndEndIdempotently() {
      book.preheat(10, 2);
      assertThat(book.run("sale-state", "PAUSED")).isEqualTo(List.of(1L, "PAUSED", "", "", 1L));
      assertThat(book.run("sale-state", "PAUSED")).isEqualTo(List.of(1L, "PAUSED", "", "", 0L));
      assertThat(book.run("sale-state", "OPEN")).isEqualTo(List.of(1L, "OPEN", "", "", 1L));
      assertThat(book.run("sale-state", "ENDED")).isEqualTo(List.of(1L, "ENDED", "", "", 1L));
      assertThat(book.run("sale-state", "ENDED")).isEqualTo(List.of(1L, "ENDED", "", "", 0L));
      assertThat(book.run("sale-state", "OPEN")).isEqualTo(List.of(2L, "ENDED"));
      assertThat(book.run("sale-state", "PAUSED")).isEqualTo(List.of(2L, "ENDED"));
      assertThat(book.run("sale-state", "WINDOW", "", FAR)).isEqualTo(List.of(2L, "ENDED"));
      assertThat(book.book().moves()).isEqualTo(4);
    }

    @Test
    void shouldMoveTheWindow() {
      book.preheat(10, 2);
      EVENTS.remove("sale " + product);
      assertThat(book.run("sale-state", "WINDOW", 5, FAR))
          .isEqualTo(List.of(1L, "OPEN", "5", Long.toString(FAR), 1L));
      assertThat(book.run("sale-state", "WINDOW", 5, FAR).get(4)).isEqualTo(0L);
      published("sale " + product);
    }

    @Test
    void shouldRefuseBadArguments() {
      book.preheat(10, 2);
      for (Object[] bad :
          new Object[][] {{}, {"CLOSED"}, {"OPEN", 1}, {"WINDOW"}, {"WINDOW", "x", ""}}) {
        assertThatThrownBy(() -> book.run("sale-state", bad)).isInstanceOf(ScriptException.class);
      }
    }
  }

  @Nested
  class Lookup {
    @Test
    void shouldFindByKeyAndByRequestId() {
      book.preheat(10, 2);
      book.reserve(1, "k", 1);
      List<Object> found = book.lookup(1, "k");
      assertThat(found)
          .isEqualTo(
              List.of(
                  3L,
                  book.requestId(1, "k"),
                  "PENDING",
                  "",
                  "",
                  "k",
                  1L,
                  book.book().lastOutboxId()));
      assertThat(book.run("lookup", 1, "", book.requestId(1, "k"))).isEqualTo(found);
      assertThat(book.run("lookup", 1, "k", book.requestId(1, "k"))).isEqualTo(found);
      assertThat(book.run("lookup", 1, "k", book.requestId(1, "other"))).isEqualTo(List.of(0L));
      assertThat(book.lookup(1, "other")).isEqualTo(List.of(0L));
      assertThat(book.lookup(2, "k")).isEqualTo(List.of(0L));
      assertThat(book.run("lookup", 2, "", book.requestId(1, "k"))).isEqualTo(List.of(0L));
      assertThatThrownBy(() -> book.run("lookup", 1, "", "")).isInstanceOf(ScriptException.class);
      assertThatThrownBy(() -> book.run("lookup", 1, "k")).isInstanceOf(ScriptException.class);
    }
  }

  @Nested
  class Outbox {
    @Test
    void shouldAcknowledgeAndDeleteInOneStep() {
      book.preheat(10, 2);
      book.reserve(1, "k", 1);
      book.reserve(2, "k", 1);
      var redis = TestServers.get().redisCommands();
      String key = BookKeys.outbox(product);
      redis.xgroupCreate(StreamOffset.from(key, "0"), "relay");
      redis.xreadgroup(Consumer.from("relay", "a"), StreamOffset.lastConsumed(key));
      String id = outboxId(1, "k");
      assertThat(book.run("acknowledge", "relay", id, "1-1")).isEqualTo(List.of(1L, 1L));
      assertThat(book.run("acknowledge", "relay", id)).isEqualTo(List.of(1L, 0L));
      assertThat(redis.xpending(key, "relay").getCount()).isEqualTo(1);
      assertThat(book.book().outboxLength()).isEqualTo(1);
      assertThatThrownBy(() -> book.run("acknowledge", "relay"))
          .isInstanceOf(ScriptException.class);
      assertThatThrownBy(() -> book.run("acknowledge", "relay", id, "x"))
          .isInstanceOf(ScriptException.class);
    }

    @Test
    void shouldListOverdueReservationsThatLeftTheOutbox() {
      book.preheat(10, 2);
      book.reserve(1, "a", 1);
      book.reserve(2, "b", 2);
      book.reserve(3, "c", 1);
      book.confirm(3, "c", 5, 1);
      String first = outboxId(1, "a");
      String second = outboxId(2, "b");
      assertThat(book.run("overdue", FAR, 10)).isEqualTo(List.of(1L));
      book.run("acknowledge", "relay", first);
      List<String> one = List.of(book.requestId(1, "a"), "1", "a", "1", first, "0");
      assertThat(book.run("overdue", FAR, 10)).isEqualTo(List.of(1L, one));
      book.run("acknowledge", "relay", second);
      List<String> two = List.of(book.requestId(2, "b"), "2", "b", "2", second, "0");
      assertThat(book.run("overdue", FAR, 10)).containsExactlyInAnyOrder(1L, one, two);
      assertThat(book.run("overdue", FAR, 1)).hasSize(2);
      assertThat(book.run("overdue", FAR, 10, 1)).hasSize(2);
      assertThat(book.run("overdue", Book.millisOf(first) - 1, 10)).isEqualTo(List.of(1L));
      for (Object[] bad :
          new Object[][] {{}, {FAR}, {FAR, 0}, {FAR, 501}, {"x", 5}, {FAR, 5, -1}}) {
        assertThatThrownBy(() -> book.run("overdue", bad)).isInstanceOf(ScriptException.class);
      }
    }

    @Test
    void shouldSendAgainOnlyWhatIsPendingAndNotWaiting() {
      book.preheat(10, 2);
      book.reserve(1, "k", 2);
      String id = outboxId(1, "k");
      String requestId = book.requestId(1, "k");
      assertThat(book.run("resend", requestId)).isEqualTo(List.of(2L, id));
      book.run("acknowledge", "relay", id);
      List<Object> again = book.run("resend", requestId);
      assertThat(again).isEqualTo(List.of(1L, outboxId(1, "k"), 1L));
      assertThat(outbox())
          .containsExactly(
              Map.of(
                  "requestId",
                  requestId,
                  "userId",
                  "1",
                  "idemKey",
                  "k",
                  "quantity",
                  "2",
                  "epoch",
                  "1",
                  "resent",
                  "1"));
      drainOutbox();
      assertThat(book.run("resend", requestId).get(2)).isEqualTo(2L);
      drainOutbox();
      assertThat(((List<?>) book.run("overdue", FAR, 10).get(1)).get(5)).isEqualTo("2");
      assertThat(book.reserve(1, "k", 2)).isEqualTo(List.of(3L, requestId, "PENDING", "", ""));
      book.confirm(1, "k", 9, 2);
      assertThat(book.lookup(1, "k").subList(2, 5)).isEqualTo(List.of("SUCCESS", "9", ""));
      assertThat(book.run("resend", requestId)).isEqualTo(List.of(0L));
      assertThat(book.run("resend", book.requestId(2, "k"))).isEqualTo(List.of(0L));
      assertThat(book.run("resend", book.requestId(1, "other"))).isEqualTo(List.of(0L));
      assertThatThrownBy(() -> book.run("resend", "nonsense")).isInstanceOf(ScriptException.class);
    }

    @Test
    void shouldReleaseWhatWasSentAgain() {
      book.preheat(10, 2);
      book.reserve(1, "k", 2);
      drainOutbox();
      book.run("resend", book.requestId(1, "k"));
      assertThat(book.release(1, "k").get(1)).isEqualTo(1L);
      assertThat(book.lookup(1, "k").subList(2, 5)).isEqualTo(List.of("FAIL_SYSTEM", "", "poison"));
    }

    @Test
    void shouldRetireReadersThatHoldNothing() {
      book.preheat(10, 2);
      book.reserve(1, "k", 1);
      var redis = TestServers.get().redisCommands();
      String key = BookKeys.outbox(product);
      assertThat(book.run("retire-readers", "relay", 0)).isEqualTo(List.of(1L, 0L));
      redis.xgroupCreate(StreamOffset.from(key, "0"), "relay");
      redis.xreadgroup(Consumer.from("relay", "holds"), StreamOffset.lastConsumed(key));
      redis.xgroupCreateconsumer(key, Consumer.from("relay", "idle"));
      assertThat(book.run("retire-readers", "relay", 3_600_000)).isEqualTo(List.of(1L, 0L));
      assertThat(book.run("retire-readers", "relay", 0, "holds")).isEqualTo(List.of(1L, 0L));
      assertThat(book.run("retire-readers", "relay", 0)).isEqualTo(List.of(1L, 1L));
      assertThat(redis.xpending(key, "relay").getCount()).isEqualTo(1);
      assertThatThrownBy(() -> book.run("retire-readers", "relay"))
          .isInstanceOf(ScriptException.class);
    }
  }

  @Nested
  class RestockAndSettlement {
    @Test
    void shouldRestockOncePerTotal() {
      book.preheat(10, 2);
      assertThat(book.run("restock", 5, 5)).isEqualTo(List.of(1L, 15L, 5L, 5L));
      published("stock " + product + " 15 2");
      assertThat(book.run("restock", 5, 5)).isEqualTo(List.of(1L, 15L, 5L, 0L));
      assertThat(book.run("restock", 1, 8)).isEqualTo(List.of(1L, 18L, 8L, 3L));
      assertThat(book.run("restock", 2, 7)).isEqualTo(List.of(1L, 18L, 8L, 0L));
      for (Object[] bad :
          new Object[][] {{5}, {0, 5}, {6, 5}, {"x", 5}, {1.5, 5}, {1, "9007199254740992"}}) {
        assertThatThrownBy(() -> book.run("restock", bad)).isInstanceOf(ScriptException.class);
      }
    }

    @Test
    void shouldBeginToSettleOnlyOnceOverAndAtRest() {
      long now = System.currentTimeMillis();
      book.preheat(10, 2);
      assertThat(book.run("settle-begin")).isEqualTo(List.of(3L, ""));
      book.run("sale-state", "WINDOW", "", FAR);
      assertThat(book.run("settle-begin")).isEqualTo(List.of(3L, Long.toString(FAR)));
      book.reserve(1, "k", 2);
      book.run("sale-state", "WINDOW", "", now - 1_000);
      assertThat(book.run("settle-begin")).isEqualTo(List.of(2L, 2L, 1L));
      book.confirm(1, "k", 5, 2);
      assertThat(book.run("settle-begin")).isEqualTo(List.of(2L, 0L, 1L));
      assertThat(book.book().state()).isEqualTo("OPEN");
      drainOutbox();
      EVENTS.remove("sale " + product);
      List<Object> settled = book.run("settle-begin");
      assertThat(settled)
          .isEqualTo(List.of(1L, 10L, 0L, 8L, 0L, 2L, 0L, 0L, 1L, book.book().moves()));
      assertThat(book.book().state()).isEqualTo("ENDED");
      published("sale " + product);
      assertThat(book.run("settle-begin")).isEqualTo(settled);
    }

    @Test
    void shouldSettleAnEndedSaleThatWasNeverBought() {
      book.preheat(10, 2);
      book.run("sale-state", "ENDED");
      assertThat(book.run("settle-begin"))
          .isEqualTo(List.of(1L, 10L, 0L, 10L, 0L, 0L, 0L, 0L, 1L, 2L));
    }
  }

  @Test
  void shouldKeepBooksOfProductsApart() {
    book.preheat(10, 2);
    BookScripts other = new BookScripts(node.scripts, Products.next());
    other.preheat(10, 2);
    book.reserve(1, "k", 1);
    assertThat(other.book().available()).isEqualTo(10);
    assertThat(other.confirm(1, "k", 1, 1).get(3)).isEqualTo(1L);
    assertThat(RequestId.parse(book.requestId(1, "k"))).isPresent();
  }
}
