package io.seckill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.Consumer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.sync.RedisCommands;
import io.seckill.book.BookKeys;
import io.seckill.book.BookVerifier;
import io.seckill.domain.OrderRecord;
import io.seckill.embedded.RedisServer;
import io.seckill.redis.BookScripts;
import io.seckill.redis.Redis;
import io.seckill.testing.Products;
import io.seckill.testing.TestServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The consumer of outboxes in a route that acknowledges what it was given. */
class StreamConsumerIT {
  private static final String GROUP = "relay";

  private final List<AutoCloseable> toClose = new ArrayList<>();
  private final Set<Long> live = ConcurrentHashMap.newKeySet();
  private final AtomicInteger asked = new AtomicInteger();
  private final List<List<OutboxEntry>> batches = new CopyOnWriteArrayList<>();
  private final AtomicBoolean failing = new AtomicBoolean();
  private final AtomicInteger failures = new AtomicInteger();

  @AfterEach
  void closeAll() throws Exception {
    for (int i = toClose.size() - 1; i >= 0; i--) {
      toClose.get(i).close();
    }
  }

  private static ConditionFactory eventually() {
    return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(10));
  }

  private Redis.Node node(String uri) throws InterruptedException {
    Redis.Node node = Redis.node(Redis.settings(uri), BookVerifier.trusting());
    toClose.add(node);
    return node.ready();
  }

  private Redis.Node node() throws InterruptedException {
    return node(TestServers.get().redisUri());
  }

  /** A relay without Kafka: what it is given counts as sent unless it is to fail. */
  private DefaultCamelContext relay(Redis.Node node, String options) throws Exception {
    DefaultCamelContext context =
        relay(
            node,
            options,
            batch -> {
              if (failing.get()) {
                failures.incrementAndGet();
                throw new IllegalStateException("Kafka is away");
              }
              batches.add(batch);
            });
    toClose.add(context);
    return context;
  }

  private interface Sending {
    void send(List<OutboxEntry> batch) throws Exception;
  }

  private DefaultCamelContext relay(Redis.Node node, String options, Sending sending)
      throws Exception {
    DefaultCamelContext context = new DefaultCamelContext();
    context.getRegistry().bind("scripts", node.scripts);
    context.getRegistry().bind("outboxes", outboxes(node));
    context.getRegistry().bind("source", OutboxSource.class, (OutboxSource) this::productIds);
    RouteBuilder.addRoutes(
        context,
        routes ->
            routes
                .from("redis-stream:" + GROUP + options)
                .routeId("relay")
                .process(
                    exchange -> {
                      List<OutboxEntry> batch = batchOf(exchange.getMessage().getBody());
                      sending.send(batch);
                      exchange.getMessage().setBody(OutboxEntry.acknowledgements(GROUP, batch));
                    })
                .to("redis-script:acknowledge"));
    context.getShutdownStrategy().setTimeout(30);
    context.start();
    return context;
  }

  private Collection<Long> productIds() {
    asked.incrementAndGet();
    return List.copyOf(live);
  }

  private static List<OutboxEntry> batchOf(Object body) {
    return ((List<?>) body).stream().map(OutboxEntry.class::cast).toList();
  }

  private List<OutboxEntry> relayed() {
    return batches.stream().flatMap(List::stream).toList();
  }

  private List<String> relayedIds(BookScripts book) {
    return relayed().stream()
        .filter(entry -> entry.productId() == book.productId())
        .map(entry -> entry.order().requestId())
        .toList();
  }

  private BookScripts sale(Redis.Node node) {
    BookScripts book = new BookScripts(node.scripts, Products.next());
    book.preheat(1_000_000, 10);
    live.add(book.productId());
    return book;
  }

  private static RedisCommands<String, String> redis() {
    return TestServers.get().redisCommands();
  }

  private void expectEmpty(BookScripts book) {
    eventually().until(() -> book.book().outboxLength() == 0);
    assertThat(redis().xpending(BookKeys.outbox(book.productId()), GROUP).getCount()).isZero();
  }

  @Test
  void shouldRelayAnEntryAsAnOrderRecord() throws Exception {
    Redis.Node node = node();
    BookScripts book = sale(node);
    relay(node, "");
    book.reserve(7, "k", 3);
    expectEmpty(book);
    OutboxEntry entry = relayed().get(0);
    assertThat(entry.order())
        .isEqualTo(
            new OrderRecord(
                1, book.requestId(7, "k"), book.productId(), 7, 3, "k", 1, entry.id(), 0));
    assertThat(relayed()).hasSize(1);
  }

  @Test
  void shouldRelayALoneOrderOfThisNodeSoonAndThoseOfOthersToo() throws Exception {
    Redis.Node node = node();
    Redis.Node other = node();
    BookScripts book = sale(node);
    relay(node, "");
    for (int user = 1; user <= 20; user++) {
      BookScripts writer = user % 2 == 0 ? book : new BookScripts(other.scripts, book.productId());
      writer.reserve(user, "k", 1);
      int expected = user;
      eventually().until(() -> relayed().size() == expected);
    }
    expectEmpty(book);
  }

  @Test
  void shouldLetTheOrdersOfAStreamShareBatches() throws Exception {
    Redis.Node node = node();
    BookScripts book = sale(node);
    relay(node, "?linger=400");
    for (int user = 1; user <= 100; user++) {
      book.reserve(user, "k", 1);
    }
    expectEmpty(book);
    assertThat(relayedIds(book)).hasSize(100).doesNotHaveDuplicates();
    assertThat(batches).hasSizeLessThan(50);
  }

  @Test
  void shouldShareTheBudgetAmongProductsAndLoseNothing() throws Exception {
    Redis.Node node = node();
    List<BookScripts> books = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      BookScripts book = sale(node);
      books.add(book);
      int entries = i == 0 ? 100 : 5;
      for (int user = 1; user <= entries; user++) {
        book.reserve(user, "k", 1);
      }
    }
    relay(node, "?maxBatch=20");
    for (BookScripts book : books) {
      expectEmpty(book);
      assertThat(relayedIds(book)).doesNotHaveDuplicates();
    }
    assertThat(relayed()).hasSize(100 + 29 * 5);
    assertThat(batches).allSatisfy(batch -> assertThat(batch).hasSizeLessThanOrEqualTo(20));
  }

  @Test
  void shouldGiveEntriesAgainThatTheRouteFailedOn() throws Exception {
    Redis.Node node = node();
    BookScripts book = sale(node);
    relay(node, "?maxBackoff=200&maxBatch=4");
    failing.set(true);
    for (int user = 1; user <= 10; user++) {
      book.reserve(user, "k", 1);
    }
    eventually().until(() -> failures.get() >= 3);
    assertThat(book.book().outboxLength()).isEqualTo(10);
    failing.set(false);
    expectEmpty(book);
    assertThat(new HashSet<>(relayedIds(book))).hasSize(10);
  }

  @Test
  void shouldTakeOverWhatADeadReaderLeft() throws Exception {
    Redis.Node node = node();
    BookScripts book = sale(node);
    for (int user = 1; user <= 25; user++) {
      book.reserve(user, "k", 1);
    }
    String key = BookKeys.outbox(book.productId());
    redis().xgroupCreate(StreamOffset.from(key, "0"), GROUP);
    redis()
        .xreadgroup(
            Consumer.from(GROUP, "dead"),
            XReadArgs.Builder.count(20),
            StreamOffset.lastConsumed(key));
    relay(node, "?claimIdle=300&maxBatch=7");
    expectEmpty(book);
    assertThat(relayedIds(book)).hasSize(25).doesNotHaveDuplicates();
  }

  @Test
  void shouldDropWhatWasDeletedButNotAcknowledged() throws Exception {
    Redis.Node node = node();
    BookScripts book = sale(node);
    book.reserve(1, "k", 1);
    book.reserve(2, "k", 1);
    String key = BookKeys.outbox(book.productId());
    redis().xgroupCreate(StreamOffset.from(key, "0"), GROUP);
    redis().xreadgroup(Consumer.from(GROUP, "dead"), StreamOffset.lastConsumed(key));
    redis().xdel(key, (String) book.lookup(1, "k").get(7));
    relay(node, "?claimIdle=200");
    eventually().until(() -> relayedIds(book).contains(book.requestId(2, "k")));
    eventually().until(() -> redis().xpending(key, GROUP).getCount() == 0);
    expectEmpty(book);
  }

  @Test
  void shouldRelayOtherOutboxesWhileOneCannotBeRead() throws Exception {
    Redis.Node node = node();
    BookScripts broken = new BookScripts(node.scripts, Products.next());
    redis().set(BookKeys.outbox(broken.productId()), "not a stream");
    live.add(broken.productId());
    BookScripts book = sale(node);
    relay(node, "");
    for (int user = 1; user <= 5; user++) {
      book.reserve(user, "k", 1);
      expectEmpty(book);
    }
    redis().del(BookKeys.outbox(broken.productId()));
    broken.preheat(5, 1);
    broken.reserve(1, "k", 1);
    expectEmpty(broken);
  }

  @Test
  void shouldReadNothingWhileNoSaleIsLive() throws Exception {
    Redis.Node node = node();
    BookScripts book = sale(node);
    live.clear();
    book.reserve(1, "k", 1);
    relay(node, "");
    eventually().until(() -> asked.get() > 3);
    assertThat(redis().exists(BookKeys.outbox(book.productId()))).isEqualTo(1);
    assertThat(redis().xinfoGroups(BookKeys.outbox(book.productId()))).isEmpty();
    live.add(book.productId());
    expectEmpty(book);
  }

  @Test
  void shouldPauseWhileSuspendedAndGoOnAfterwards() throws Exception {
    Redis.Node node = node();
    BookScripts book = sale(node);
    DefaultCamelContext context = relay(node, "");
    book.reserve(1, "k", 1);
    expectEmpty(book);
    context.getRouteController().suspendRoute("relay");
    AtomicInteger before = new AtomicInteger(-1);
    eventually()
        .pollInterval(Duration.ofMillis(300))
        .until(() -> before.getAndSet(asked.get()) == asked.get());
    book.reserve(2, "k", 1);
    Awaitility.await()
        .during(Duration.ofMillis(500))
        .atMost(Duration.ofSeconds(60))
        .until(() -> book.book().outboxLength() == 1 && asked.get() == before.get());
    context.getRouteController().resumeRoute("relay");
    expectEmpty(book);
    context.getRouteController().stopRoute("relay");
    book.reserve(3, "k", 1);
    assertThat(book.book().outboxLength()).isEqualTo(1);
    context.getRouteController().startRoute("relay");
    expectEmpty(book);
    assertThat(relayed()).hasSize(3);
  }

  @Test
  void shouldFinishTheBatchOnItsWayBeforeItStops() throws Exception {
    Redis.Node node = node();
    BookScripts book = sale(node);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    DefaultCamelContext context =
        relay(
            node,
            "",
            batch -> {
              entered.countDown();
              assertThat(leave.await(60, TimeUnit.SECONDS)).isTrue();
            });
    book.reserve(1, "k", 1);
    assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
    Thread stopping = new Thread(context::stop);
    stopping.start();
    eventually().until(() -> context.isStopping());
    leave.countDown();
    stopping.join(60_000);
    assertThat(book.book().outboxLength()).isZero();
    assertThat(redis().xinfoConsumers(BookKeys.outbox(book.productId()), GROUP)).isEmpty();
  }

  @Test
  void shouldGoOnAfterRedisWasAway() throws Exception {
    RedisServer server = Redis.own();
    try {
      Redis.Node node = node(server.uri());
      BookScripts book = sale(node);
      relay(node, "?maxBackoff=200&claimIdle=500");
      AtomicLong user = new AtomicLong();
      book.reserve(user.incrementAndGet(), "k", 1);
      eventually().until(() -> book.book().outboxLength() == 0);
      server.stop();
      eventually().until(() -> !node.connections.isConnected());
      server.start();
      eventually()
          .until(() -> node.connections.isConnected() && node.guard.admits(book.productId()));
      book.reserve(user.incrementAndGet(), "k", 1);
      eventually().until(() -> book.book().outboxLength() == 0);
      assertThat(new HashSet<>(relayedIds(book))).hasSize(2);
    } finally {
      server.stopHard();
    }
  }

  @Test
  void shouldSendAgainWhatAnOlderCopyOfRedisSaysItHolds() throws Exception {
    RedisServer server = Redis.own();
    try (RedisClient client = RedisClient.create(server.uri())) {
      RedisCommands<String, String> commands = client.connect().sync();
      Redis.Node node = node(server.uri());
      BookScripts book = sale(node);
      String outbox = BookKeys.outbox(book.productId());
      relay(node, "?maxBackoff=200&claimIdle=3600000");
      book.reserve(1, "k", 1);
      eventually().until(() -> book.book().outboxLength() == 0);
      String reader = nameOf(commands.xinfoConsumers(outbox, GROUP).get(0));

      // the reader holds an entry that it has not received
      live.clear();
      int before = asked.get();
      eventually().until(() -> asked.get() > before + 1);
      book.reserve(2, "k", 1);
      String id =
          commands
              .xreadgroup(Consumer.from(GROUP, "another"), StreamOffset.lastConsumed(outbox))
              .get(0)
              .getId();
      commands.xclaim(outbox, Consumer.from(GROUP, reader), 0, id);
      live.add(book.productId());

      server.stop();
      eventually().until(() -> !node.connections.isConnected());
      server.start();
      eventually().until(node.connections::isConnected);
      eventually().until(() -> book.book().outboxLength() == 0);
      assertThat(relayedIds(book)).containsExactly(book.requestId(1, "k"), book.requestId(2, "k"));
    } finally {
      server.stopHard();
    }
  }

  /** Of a reply of XINFO CONSUMERS, whose first member is {@code name}. */
  private static String nameOf(Object consumer) {
    return (String) ((List<?>) consumer).get(1);
  }

  private static RedisOutboxes outboxes(Redis.Node node) {
    OutboxSignal signal = new OutboxSignal();
    node.scripts.whenQueued(signal::raise);
    return new RedisOutboxes(node.connections, node.scripts, signal);
  }
}
