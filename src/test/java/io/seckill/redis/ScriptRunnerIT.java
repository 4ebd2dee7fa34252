package io.seckill.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.seckill.book.Book;
import io.seckill.book.BookKeys;
import io.seckill.book.BookVerifier;
import io.seckill.book.script.LedgerReply;
import io.seckill.book.script.LookupReply.NotFound;
import io.seckill.book.script.Script;
import io.seckill.book.script.ScriptReply;
import io.seckill.book.script.UnknownReplyException;
import io.seckill.drill.net.TcpProxy;
import io.seckill.embedded.RedisServer;
import io.seckill.testing.Products;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node does when Redis answers, is slow, hangs, forgets scripts, dies and comes back. */
class ScriptRunnerIT {
  private static RedisServer server;
  private static Vertx vertx;

  private final List<AutoCloseable> toClose = new ArrayList<>();
  private long product;

  @BeforeAll
  static void start() {
    server = Redis.own();
    vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
  }

  @AfterAll
  static void stop() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
    server.stopHard();
  }

  @BeforeEach
  void takeProduct() {
    product = Products.next();
    server.start();
  }

  @AfterEach
  void closeAll() throws Exception {
    Collections.reverse(toClose);
    for (AutoCloseable closeable : toClose) {
      closeable.close();
    }
  }

  private Redis.Node node(RedisSettings settings, BookVerifier verifier) {
    Redis.Node node = Redis.node(settings, verifier);
    toClose.add(node);
    return node;
  }

  private Redis.Node node() throws InterruptedException {
    return node(Redis.settings(server.uri()), BookVerifier.trusting()).ready();
  }

  private static RedisSettings impatient() {
    return new RedisSettings(
        server.uri(),
        "",
        "",
        RedisCertificates.NONE,
        Duration.ofSeconds(20),
        Duration.ofMillis(400),
        Duration.ofMillis(600),
        Duration.ofSeconds(60),
        Duration.ofMillis(200));
  }

  private static ConditionFactory eventually() {
    return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
  }

  /** What a call on an event loop came to, and where it was answered. */
  private record Answer(ScriptReply reply, RuntimeException error, boolean sameLoop) {}

  private CompletableFuture<Answer> onLoop(
      Context context, Redis.Node node, String script, String... arguments) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    context.runOnContext(
        nothing -> {
          Thread caller = Thread.currentThread();
          node.scripts.runAll(
              Script.named(script),
              List.of(ScriptCall.of(product, arguments)),
              (replies, error) ->
                  answer.complete(
                      new Answer(
                          error == null ? replies.get(0) : null,
                          error,
                          Thread.currentThread() == caller && Vertx.currentContext() == context)));
        });
    return answer;
  }

  private String[] purchase(long userId) {
    BookScripts book = new BookScripts(null, product);
    return new String[] {
      Long.toString(userId), "k", book.requestId(userId, "k"), "1", "0",
    };
  }

  /** The pid of the Redis process, to send signals to. */
  private static long pid() {
    try (RedisClient client = RedisClient.create(server.uri())) {
      Matcher pid = Pattern.compile("process_id:(\\d+)").matcher(client.connect().sync().info());
      assertThat(pid.find()).isTrue();
      return Long.parseLong(pid.group(1));
    }
  }

  private static void signal(String name, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor())
        .isZero();
  }

  @Test
  void shouldAnswerOnTheCallersLoopAndContext() throws Exception {
    Redis.Node node = node();
    new BookScripts(node.scripts, product).preheat(100, 1);
    List<Context> contexts =
        List.of(vertx.getOrCreateContext(), vertx.getOrCreateContext(), vertx.getOrCreateContext());
    for (int i = 0; i < 30; i++) {
      Answer answer =
          onLoop(contexts.get(i % 3), node, "reserve", purchase(i + 1)).get(60, TimeUnit.SECONDS);
      assertThat(answer.error()).isNull();
      assertThat(answer.reply().outcome()).isEqualTo("RESERVED");
      assertThat(answer.sameLoop()).isTrue();
    }
  }

  @Test
  void shouldFailACallWhoseReplyIsNoneOfTheScript() throws Exception {
    Redis.Node node = node();
    new BookScripts(node.scripts, product).preheat(10, 1);
    Script<ScriptReply> mistaken = new Script<>("ledger", Script.GATE::read);
    assertThatThrownBy(() -> node.scripts.call(mistaken, ScriptCall.of(product)))
        .isInstanceOf(UnknownReplyException.class)
        .hasMessageContaining("ledger");
    assertThat(node.scripts.book(product)).as("the connection goes on").isPresent();
  }

  @Test
  void shouldSellEachUnitOnceToAThousandBuyersAtOnce() throws Exception {
    Redis.Node node = node();
    BookScripts book = new BookScripts(node.scripts, product);
    book.preheat(50, 1);
    List<Context> contexts = List.of(vertx.getOrCreateContext(), vertx.getOrCreateContext());
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int buyer = 1; buyer <= 1_000; buyer++) {
      for (int attempt = 0; attempt < 2; attempt++) {
        answers.add(onLoop(contexts.get(attempt), node, "reserve", purchase(buyer)));
      }
    }
    long won = 0;
    for (CompletableFuture<Answer> answer : answers) {
      String outcome = answer.get(60, TimeUnit.SECONDS).reply().outcome();
      won += outcome.equals("RESERVED") ? 1 : 0;
      assertThat(outcome).isIn("SOLD_OUT", "RESERVED", "REPLAYED");
    }
    assertThat(won).isEqualTo(50);
    assertThat(book.book().pending()).isEqualTo(50);
    assertThat(book.book().available()).isZero();
    assertThat(book.book().buyers()).isEqualTo(50);
  }

  @Test
  void shouldRefuseToWaitOnAnEventLoop() throws Exception {
    Redis.Node node = node();
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    vertx
        .getOrCreateContext()
        .runOnContext(
            nothing -> {
              try {
                node.scripts.call(Script.LEDGER, ScriptCall.of(product));
                thrown.complete(null);
              } catch (RuntimeException e) {
                thrown.complete(e);
              }
            });
    assertThat(thrown.get(60, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldRunManyCallsInTheirOrder() throws Exception {
    Redis.Node node = node();
    List<ScriptCall> calls = new ArrayList<>();
    for (long id = product; id < product + 50; id++) {
      new BookScripts(node.scripts, id).preheat(id % 1_000, 1);
      calls.add(ScriptCall.of(id));
    }
    List<LedgerReply> replies = node.scripts.callAll(Script.LEDGER, calls);
    for (int i = 0; i < 50; i++) {
      assertThat(replies.get(i).asBook().orElseThrow().initial()).isEqualTo((product + i) % 1_000);
    }
    assertThat(node.scripts.callAll(Script.LEDGER, List.of())).isEmpty();
  }

  @Test
  void shouldLoadAScriptRedisDoesNotKnow() throws Exception {
    Redis.Node node = node();
    BookScripts book = new BookScripts(node.scripts, product);
    book.preheat(10, 1);
    RedisClient admin = RedisClient.create(server.uri());
    toClose.add(admin);
    admin.connect().sync().scriptFlush();
    assertThat(book.reserve(1, "k", 1).get(0)).isEqualTo(1L);
    admin.connect().sync().scriptFlush();
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    Context context = vertx.getOrCreateContext();
    for (int i = 2; i < 9; i++) {
      answers.add(onLoop(context, node, "reserve", purchase(i)));
    }
    for (CompletableFuture<Answer> answer : answers) {
      assertThat(answer.get(60, TimeUnit.SECONDS).reply().outcome()).isEqualTo("RESERVED");
    }
    assertThat(book.book().pending()).isEqualTo(8);
  }

  @Test
  void shouldTellAScriptsErrorFromAnAbsentRedis() throws Exception {
    Redis.Node node = node();
    assertThatThrownBy(() -> node.scripts.call(Script.CONFIRM, ScriptCall.of(product)))
        .isInstanceOf(ScriptException.class)
        .hasMessageContaining("confirm:");
    assertThatThrownBy(() -> node.scripts.call(Script.named("no-such"), ScriptCall.of(product)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(node.breakers.circuitBreaker(ScriptRunner.BACKGROUND_BREAKER).getState())
        .isEqualTo(CircuitBreaker.State.CLOSED);
  }

  @Test
  void shouldFailWithinASecondWhileRedisHangsAndRecoverByItself() throws Exception {
    Redis.Node node = node(impatient(), BookVerifier.trusting()).ready();
    new BookScripts(node.scripts, product).preheat(100, 1);
    Context context = vertx.getOrCreateContext();
    assertThat(onLoop(context, node, "reserve", purchase(1)).get(60, TimeUnit.SECONDS).error())
        .isNull();
    CircuitBreaker breaker = node.breakers.circuitBreaker(ScriptRunner.REQUEST_BREAKER);
    long pid = pid();
    signal("STOP", pid);
    try {
      List<CompletableFuture<Answer>> answers = new ArrayList<>();
      List<CompletableFuture<Long>> took = new ArrayList<>();
      for (int i = 2; i < 40; i++) {
        long begun = System.nanoTime();
        CompletableFuture<Answer> answer = onLoop(context, node, "reserve", purchase(i));
        answers.add(answer);
        took.add(
            answer.thenApply(failed -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)));
      }
      for (CompletableFuture<Answer> answer : answers) {
        assertThat(answer.get(60, TimeUnit.SECONDS).error())
            .isInstanceOf(RedisUnavailableException.class);
      }
      // the median: a loaded machine may keep single ones waiting
      List<Long> millis = took.stream().map(CompletableFuture::join).sorted().toList();
      assertThat(millis.get(millis.size() / 2)).isLessThan(1_000);
      assertThat(breaker.getState()).isNotEqualTo(CircuitBreaker.State.CLOSED);
      assertThatThrownBy(() -> node.scripts.book(product))
          .isInstanceOf(RedisUnavailableException.class);
    } finally {
      signal("CONT", pid);
    }
    eventually()
        .until(
            () ->
                onLoop(context, node, "reserve", purchase(50)).get(60, TimeUnit.SECONDS).error()
                    == null);
    eventually()
        .untilAsserted(
            () -> {
              onLoop(context, node, "lookup", "1", "k", "").get(60, TimeUnit.SECONDS);
              assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.CLOSED);
            });
    eventually().until(() -> node.scripts.book(product).isPresent());
  }

  @Test
  void shouldCutAConnectionThatStaysSilent() throws Exception {
    RedisSettings settings =
        new RedisSettings(
            server.uri(),
            "",
            "",
            RedisCertificates.NONE,
            Duration.ofMillis(500),
            Duration.ofMillis(200),
            Duration.ofMillis(200),
            Duration.ofMillis(600),
            Duration.ofMillis(100));
    Redis.Node node = node(settings, BookVerifier.trusting()).ready();
    new BookScripts(node.scripts, product).preheat(100, 1);
    long pid = pid();
    signal("STOP", pid);
    try {
      assertThatThrownBy(() -> node.scripts.book(product))
          .isInstanceOf(RedisUnavailableException.class);
      eventually().until(() -> !node.connections.isConnected());
    } finally {
      signal("CONT", pid);
    }
    eventually().until(() -> node.connections.isConnected());
    assertThat(node.guard.admits(product)).isTrue();
  }

  @Test
  void shouldRefuseAtOnceWhileRedisIsGoneAndConnectAgain() throws Exception {
    Redis.Node node = node();
    new BookScripts(node.scripts, product).preheat(100, 1);
    Context context = vertx.getOrCreateContext();
    assertThat(onLoop(context, node, "reserve", purchase(1)).get(60, TimeUnit.SECONDS).error())
        .isNull();
    server.stop();
    eventually().until(() -> !node.connections.isConnected());
    assertThat(onLoop(context, node, "reserve", purchase(2)).get(60, TimeUnit.SECONDS).error())
        .isInstanceOf(RedisUnavailableException.class);
    assertThatThrownBy(() -> node.scripts.book(product))
        .isInstanceOf(RedisUnavailableException.class);
    server.start();
    eventually()
        .until(
            () ->
                onLoop(context, node, "reserve", purchase(2)).get(60, TimeUnit.SECONDS).error()
                    == null);
    // the loop has a link of its own; calls that block use another
    eventually().until(node.connections::isConnected);
    assertThat(node.scripts.book(product).orElseThrow().pending()).isEqualTo(2);
  }

  @Test
  void shouldCloseTheBreakerOfANodeThatNobodyCallsOnceRedisIsBack() throws Exception {
    Redis.Node node = node();
    Context context = vertx.getOrCreateContext();
    new BookScripts(node.scripts, product).preheat(100, 1);
    onLoop(context, node, "reserve", purchase(1)).get(60, TimeUnit.SECONDS);
    CircuitBreaker breaker = node.breakers.circuitBreaker(ScriptRunner.REQUEST_BREAKER);
    server.stop();
    eventually()
        .until(
            () -> {
              onLoop(context, node, "reserve", purchase(2)).get(60, TimeUnit.SECONDS);
              return breaker.getState() == CircuitBreaker.State.OPEN;
            });
    server.start();
    eventually().until(() -> breaker.getState() == CircuitBreaker.State.CLOSED);
  }

  @Test
  void shouldFailWhatWasOnTheWayWhenRedisDied() throws Exception {
    Redis.Node node = node();
    new BookScripts(node.scripts, product).preheat(100, 1);
    Context context = vertx.getOrCreateContext();
    onLoop(context, node, "reserve", purchase(1)).get(60, TimeUnit.SECONDS);
    long pid = pid();
    signal("STOP", pid);
    CompletableFuture<Answer> pending = onLoop(context, node, "reserve", purchase(2));
    server.stopHard();
    assertThat(pending.get(15, TimeUnit.SECONDS).error())
        .isInstanceOf(RedisUnavailableException.class);
    server.start();
    eventually().until(() -> node.connections.isConnected() && node.guard.admits(product));
    assertThat(onLoop(context, node, "lookup", "2", "k", "").get(60, TimeUnit.SECONDS).reply())
        .isEqualTo(new NotFound());
  }

  @Test
  void shouldStartWithoutRedisAndServeOnceItIsThere() throws Exception {
    server.stop();
    Redis.Node node = node(impatient(), BookVerifier.trusting());
    assertThat(node.scripts.awaitConnected(Duration.ofMillis(300))).isFalse();
    Context context = vertx.getOrCreateContext();
    assertThat(onLoop(context, node, "ledger").get(60, TimeUnit.SECONDS).error())
        .isInstanceOf(RedisUnavailableException.class);
    server.start();
    node.ready();
    eventually()
        .until(() -> onLoop(context, node, "ledger").get(60, TimeUnit.SECONDS).error() == null);
  }

  @Test
  void shouldCloseAdmissionsAtAnotherRunUntilTheBookIsShownToBeCurrent() throws Exception {
    long created = Products.next();
    Set<Long> outdated = ConcurrentHashMap.newKeySet();
    BookVerifier verifier =
        new BookVerifier() {
          @Override
          public Collection<Long> products() {
            return List.of(product);
          }

          @Override
          public Verdict judge(long productId, Optional<Book> book) {
            return outdated.contains(productId) || book.isEmpty()
                ? Verdict.outdated("the outbox is older than Kafka")
                : Verdict.CURRENT;
          }
        };
    Redis.Node node = node(Redis.settings(server.uri()), verifier);
    new BookScripts(node.scripts, product).preheat(100, 1);
    new BookScripts(node.scripts, created).preheat(100, 1);
    eventually().until(() -> node.guard.admits(product));
    BookScripts book = new BookScripts(node.scripts, product);
    assertThat(book.reserve(1, "k", 1).get(0)).isEqualTo(1L);

    outdated.add(product);
    server.stop();
    eventually().until(() -> !node.connections.isConnected());
    server.start();
    eventually().until(() -> node.connections.isConnected() && node.guard.isExamined());
    assertThat(node.guard.closed()).containsExactly(product);
    assertThatThrownBy(() -> book.reserve(2, "k", 1))
        .isInstanceOf(RedisUnavailableException.class)
        .hasMessageContaining("closed");
    assertThat(book.lookup(1, "k").get(0)).isEqualTo(3L);
    assertThat(new BookScripts(node.scripts, created).reserve(1, "k", 1).get(0)).isEqualTo(1L);

    outdated.clear();
    eventually().until(() -> node.guard.admits(product));
    assertThat(book.reserve(2, "k", 1).get(0)).isEqualTo(1L);
  }

  @Test
  void shouldNotSellInARedisThatWasReplacedThoughAConnectionStillReachesIt() throws Exception {
    AtomicBoolean current = new AtomicBoolean(true);
    BookVerifier verifier =
        new BookVerifier() {
          @Override
          public Collection<Long> products() {
            return List.of(product);
          }

          @Override
          public Verdict judge(long productId, Optional<Book> book) {
            return current.get() ? Verdict.CURRENT : Verdict.unknown("not yet");
          }
        };
    RedisServer successor = Redis.own();
    try (TcpProxy address = new TcpProxy("127.0.0.1", server.port());
        RedisClient direct = RedisClient.create(server.uri());
        RedisClient next = RedisClient.create(successor.uri())) {
      next.connect().sync().configSet("requirepass", server.password());
      Redis.Node node = node(Redis.settings(uri(address.port())), verifier).ready();
      Redis.Node atSuccessor = node(Redis.settings(uri(successor.port())), verifier).ready();
      BookScripts book = new BookScripts(node.scripts, product);
      book.preheat(100, 1);
      new BookScripts(atSuccessor.scripts, product).preheat(100, 1);
      eventually().until(() -> node.guard.admits(product));
      RedisCommands<String, String> commands = direct.connect().sync();
      Matcher background =
          Pattern.compile("(?m)^id=(\\d+) .*cmd=(evalsha|script|info)")
              .matcher(commands.clientList());
      assertThat(background.find()).isTrue();
      Context context = vertx.getOrCreateContext();
      assertThat(onLoop(context, node, "reserve", purchase(1)).get(60, TimeUnit.SECONDS).error())
          .isNull();

      current.set(false);
      address.target("127.0.0.1", successor.port());
      String before = node.guard.runId();
      commands.clientKill(KillArgs.Builder.id(Long.parseLong(background.group(1))));
      eventually().until(() -> !node.guard.runId().equals(before) && node.guard.isExamined());
      current.set(true);
      eventually().until(() -> node.guard.admits(product));

      eventually()
          .until(
              () ->
                  onLoop(context, node, "reserve", purchase(2)).get(60, TimeUnit.SECONDS).error()
                      == null);
      assertThat(commands.hget(BookKeys.sale(product), "pending")).isEqualTo("1");
      assertThat(new BookScripts(atSuccessor.scripts, product).book().pending()).isEqualTo(1);
    } finally {
      successor.stopHard();
    }
  }

  /** Another server with the same password. */
  private static String uri(int port) {
    return server.uri().replace(":" + server.port(), ":" + port);
  }

  @Test
  void shouldNotSendACallToAnotherRedisThanItIsMeantFor() throws Exception {
    Redis.Node node = node();
    new BookScripts(node.scripts, product).preheat(100, 1);
    String run = node.guard.runId();
    assertThat(node.scripts.call(Script.LEDGER, new PinnedCall(product, run)).asBook()).isPresent();
    assertThatThrownBy(
            () ->
                node.scripts.call(
                    Script.LEDGER, new PinnedCall(product, run.replace('a', 'b') + "0")))
        .isInstanceOf(RedisUnavailableException.class);
  }

  @Test
  void shouldStayClosedWhileTheVerifierCannotTell() throws Exception {
    Set<String> known = ConcurrentHashMap.newKeySet();
    BookVerifier verifier =
        new BookVerifier() {
          @Override
          public Collection<Long> products() {
            if (known.isEmpty()) {
              throw new IllegalStateException("MySQL is away");
            }
            return List.of(product);
          }

          @Override
          public Verdict judge(long productId, Optional<Book> book) {
            if (!known.contains("books")) {
              throw new NoClassDefFoundError("not an Exception, and no reason to give up");
            }
            return Verdict.CURRENT;
          }
        };
    Redis.Node node = node(Redis.settings(server.uri()), verifier);
    BookScripts book = new BookScripts(node.scripts, product);
    book.preheat(5, 1);
    assertThatThrownBy(() -> book.reserve(1, "k", 1)).isInstanceOf(RedisUnavailableException.class);
    assertThat(node.guard.isExamined()).isFalse();
    known.add("products");
    eventually().until(() -> node.guard.isExamined());
    assertThatThrownBy(() -> book.reserve(1, "k", 1)).isInstanceOf(RedisUnavailableException.class);
    known.add("books");
    eventually().until(() -> node.guard.admits(product));
    assertThat(book.reserve(1, "k", 1).get(0)).isEqualTo(1L);
  }

  @Test
  void shouldConnectTheEventLoopsBeforeTheFirstBuyer() throws Exception {
    Redis.Node node = node(Redis.settings(server.uri()), BookVerifier.trusting());
    node.scripts.connect(vertx);
    node.ready();
    assertThat(node.connections.isConnected()).isTrue();
  }

  @Test
  void shouldRefuseWhileRedisIsFullAndStillDrainTheOutbox() throws Exception {
    Redis.Node node = node();
    BookScripts book = new BookScripts(node.scripts, product);
    book.preheat(100, 1);
    book.reserve(1, "k", 1);
    String id = (String) book.lookup(1, "k").get(7);
    RedisClient admin = RedisClient.create(server.uri());
    toClose.add(admin);
    admin.connect().sync().configSet("maxmemory", "1");
    try {
      assertThatThrownBy(() -> book.reserve(2, "k", 1))
          .isInstanceOf(RedisUnavailableException.class);
      assertThat(book.reserve(1, "k", 1).get(0)).isEqualTo(3L);
      assertThat(book.confirm(1, "k", 5, 1).get(1)).as("what gives memory back").isEqualTo(1L);
      assertThat(book.run("acknowledge", "relay", id)).isEqualTo(List.of(1L, 1L));
    } finally {
      admin.connect().sync().configSet("maxmemory", "0");
    }
    assertThat(book.book().balanced()).isTrue();
    assertThat(book.book().pending()).isZero();
  }
}
