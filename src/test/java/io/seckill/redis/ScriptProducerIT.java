package io.seckill.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.api.ReserveCall;
import io.seckill.book.script.ReserveReply.Reserved;
import io.seckill.book.script.ScriptReply;
import io.seckill.domain.Purchase;
import io.seckill.testing.LogCapture;
import io.seckill.testing.Products;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.camel.AsyncProcessor;
import org.apache.camel.Exchange;
import org.apache.camel.InvalidPayloadException;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.OnCamelContextStopped;
import org.apache.camel.support.DefaultExchange;
import org.apache.camel.support.LifecycleStrategySupport;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code redis-script:NAME} as a route sees it. */
class ScriptProducerIT {
  private static Redis.Node node;
  private static DefaultCamelContext context;
  private static Vertx vertx;

  private BookScripts book;

  @BeforeAll
  static void start() throws Exception {
    node = Redis.node().ready();
    context = new DefaultCamelContext();
    context.getRegistry().bind("scripts", node.scripts);
    context.start();
    vertx = Vertx.vertx();
  }

  @AfterAll
  static void stop() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
    context.stop();
    node.close();
  }

  @BeforeEach
  void sell() {
    book = new BookScripts(node.scripts, Products.next());
    book.preheat(10, 2);
  }

  private static Exchange exchange(Object body) {
    Exchange exchange = new DefaultExchange(context);
    exchange.getMessage().setBody(body);
    return exchange;
  }

  private static Exchange run(String script, Object body) {
    return context.createProducerTemplate().send("redis-script:" + script, exchange(body));
  }

  private ReserveCall purchase(long userId) {
    return new ReserveCall(
        new Purchase(book.productId(), userId, "k", 1, book.requestId(userId, "k")), 100);
  }

  @Test
  void shouldTurnACallIntoItsReplyAndItsOutcome() {
    Exchange done = run("reserve", purchase(7));
    assertThat(done.getException()).isNull();
    assertThat(done.getMessage().getBody()).isEqualTo(new Reserved(book.requestId(7, "k"), 9));
    assertThat(done.getProperty(ScriptEndpoint.OUTCOME)).isEqualTo("RESERVED");
    assertThat(run("reserve", purchase(7)).getProperty(ScriptEndpoint.OUTCOME))
        .isEqualTo("REPLAYED");
  }

  @Test
  void shouldTurnCallsIntoTheirRepliesInOrder() {
    Exchange done = run("reserve", List.of(purchase(1), purchase(2), purchase(1)));
    List<?> replies = done.getMessage().getBody(List.class);
    assertThat(replies.stream().map(reply -> ((ScriptReply) reply).outcome()).toList())
        .isEqualTo(List.of("RESERVED", "RESERVED", "REPLAYED"));
    assertThat(done.getProperty(ScriptEndpoint.OUTCOME)).isNull();
    assertThat(run("reserve", List.of()).getMessage().getBody()).isEqualTo(List.of());
  }

  @Test
  void shouldFailTheExchange() {
    assertThat(run("reserve", "nonsense").getException())
        .isInstanceOf(InvalidPayloadException.class);
    assertThat(run("reserve", List.of("nonsense")).getException())
        .isInstanceOf(InvalidPayloadException.class);
    assertThat(run("confirm", ScriptCall.of(book.productId())).getException())
        .isInstanceOf(ScriptException.class);
  }

  @Test
  void shouldGoOnOnTheEventLoopAndInTheVertxContextOfTheCaller() throws Exception {
    AsyncProcessor producer = context.getEndpoint("redis-script:reserve").createAsyncProducer();
    Context loop = vertx.getOrCreateContext();
    CompletableFuture<String> where = new CompletableFuture<>();
    Exchange exchange = exchange(purchase(7));
    loop.runOnContext(
        nothing -> {
          Thread caller = Thread.currentThread();
          boolean sync =
              producer.process(
                  exchange,
                  doneSync ->
                      where.complete(
                          doneSync
                              + " "
                              + (Thread.currentThread() == caller)
                              + " "
                              + (Vertx.currentContext() == loop)));
          if (sync) {
            where.complete("waited");
          }
        });
    assertThat(where.get(60, TimeUnit.SECONDS)).isEqualTo("false true true");
    assertThat(exchange.getMessage().getBody()).isInstanceOf(Reserved.class);
  }

  @Test
  void shouldWaitOnTheCallersThreadElsewhere() throws Exception {
    AsyncProcessor producer = context.getEndpoint("redis-script:reserve").createAsyncProducer();
    Exchange exchange = exchange(purchase(7));
    assertThat(producer.process(exchange, doneSync -> {})).isTrue();
    assertThat(exchange.getProperty(ScriptEndpoint.OUTCOME)).isEqualTo("RESERVED");
  }

  @Test
  void shouldEndItsConnectionsBeforeVertxEndsTheirLoops() throws Exception {
    Vertx loops = Vertx.vertx();
    try (Redis.Node leaving = Redis.node().ready();
        DefaultCamelContext stopping = new DefaultCamelContext();
        LogCapture log = LogCapture.begin()) {
      stopping.getRegistry().bind("vertx", loops);
      stopping.getRegistry().bind("scripts", leaving.scripts);
      OnCamelContextStopped destroyingBeans =
          ended -> loops.close().toCompletionStage().toCompletableFuture().join();
      stopping.addLifecycleStrategy(LifecycleStrategySupport.adapt(destroyingBeans));
      stopping.getEndpoint("redis-script:reserve");
      stopping.start();
      assertThat(leaving.connections.isConnected()).isTrue();

      stopping.stop();

      assertThat(log.of(RedisLink.class.getName()))
          .filteredOn(event -> event.getLevel().isMoreSpecificThan(Level.WARN))
          .isEmpty();
    }
  }
}
