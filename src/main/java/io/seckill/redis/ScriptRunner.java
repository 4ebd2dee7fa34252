package io.seckill.redis;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.circuitbreaker.IllegalStateTransitionException;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.seckill.book.AdmissionGuard;
import io.seckill.book.Book;
import io.seckill.book.script.ResendReply.SentAgain;
import io.seckill.book.script.ReserveReply.Reserved;
import io.seckill.book.script.Script;
import io.seckill.book.script.ScriptReply;
import io.seckill.book.script.UnknownReplyException;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs scripts on books with EVALSHA. It loads a script that Redis does not know and calls it
 * again. Two circuit breakers, one for buyers' requests and one for the background, refuse calls
 * without blocking.
 *
 * <p>A call without an answer fails with {@link RedisUnavailableException}, an error of the call
 * itself with {@link ScriptException}, and an unknown reply with {@link UnknownReplyException}.
 */
public final class ScriptRunner {
  private static final Logger LOG = LoggerFactory.getLogger(ScriptRunner.class);

  public static final String REQUEST_BREAKER = "redis-requests";
  public static final String BACKGROUND_BREAKER = "redis-background";

  private static final int WAIT_MARGIN = 4;
  private static final long NO_PRODUCT = 0;

  private final RedisConnections connections;
  private final AdmissionGuard guard;
  private final Function<String, InputStream> resources;
  private volatile LongConsumer whenQueued = productId -> {};
  private final CircuitBreaker requestBreaker;
  private final CircuitBreaker backgroundBreaker;
  private volatile String lastFailure = "";
  private final Map<String, LuaScript> sources = new ConcurrentHashMap<>();

  /**
   * @param resources finds a script by its path
   */
  ScriptRunner(
      RedisConnections connections,
      AdmissionGuard guard,
      CircuitBreakerRegistry breakers,
      Function<String, InputStream> resources) {
    this.connections = connections;
    this.resources = resources;
    this.guard = guard;
    CircuitBreakerConfig config =
        CircuitBreakerConfig.custom()
            .slidingWindowType(SlidingWindowType.COUNT_BASED)
            .slidingWindowSize(20)
            .minimumNumberOfCalls(10)
            .failureRateThreshold(50)
            .waitDurationInOpenState(connections.settings().breakerWait())
            .permittedNumberOfCallsInHalfOpenState(3)
            .maxWaitDurationInHalfOpenState(connections.settings().backgroundTimeout())
            .recordException(RedisUnavailableException.class::isInstance)
            .build();
    this.requestBreaker = breakers.circuitBreaker(REQUEST_BREAKER, config);
    this.backgroundBreaker = breakers.circuitBreaker(BACKGROUND_BREAKER, config);
    connections.onRunId(guard::observed);
    connections.onConnect(forRequests -> close(breaker(forRequests)));
  }

  /**
   * Closes a breaker, because a connection is back: Redis has just answered its greeting. Waiting
   * for calls that prove it would leave the breaker of a node without buyers open for ever.
   */
  private static void close(CircuitBreaker breaker) {
    if (breaker.getState() != CircuitBreaker.State.CLOSED) {
      try {
        breaker.transitionToClosedState();
      } catch (IllegalStateTransitionException e) {
        LOG.debug("Circuit breaker {} has moved on by itself", breaker.getName());
      }
    }
  }

  private CircuitBreaker breaker(boolean forRequests) {
    return forRequests ? requestBreaker : backgroundBreaker;
  }

  /**
   * Runs a script and waits for its reply. Never call it on an event loop.
   *
   * @throws RedisUnavailableException also when the thread is interrupted
   * @throws UnknownReplyException when script and application do not belong together
   */
  public <R extends ScriptReply> R call(Script<R> script, ScriptCall call) {
    return callAll(script, List.of(call)).get(0);
  }

  /** Runs a script on many books at once (one round trip) and waits for the replies, in order. */
  public <R extends ScriptReply> List<R> callAll(Script<R> script, List<ScriptCall> calls) {
    if (RedisConnections.callingLoop() != null) {
      throw new IllegalStateException("An event loop must not wait for Redis");
    }
    CompletableFuture<List<R>> result = new CompletableFuture<>();
    runAll(
        script,
        calls,
        (replies, error) -> {
          if (error == null) {
            result.complete(replies);
          } else {
            result.completeExceptionally(error);
          }
        });
    return await(result, WAIT_MARGIN * connections.settings().backgroundTimeout().toMillis());
  }

  /** The book of a product; empty when it is absent. Blocks; never call it on an event loop. */
  public Optional<Book> book(long productId) {
    return call(Script.LEDGER, ScriptCall.of(productId)).asBook();
  }

  /**
   * Checks that the user of this node's connections may run every command. Blocks; never call it on
   * an event loop.
   *
   * @throws MissingRightException when the user may not
   */
  void requireRights() {
    new RedisRights().require(call(Script.RIGHTS, ScriptCall.of(NO_PRODUCT)));
  }

  public static <T> T await(CompletableFuture<T> result, long limitMillis) {
    try {
      return result.get(limitMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RedisUnavailableException("Interrupted while waiting for Redis", e);
    } catch (TimeoutException e) {
      throw new RedisUnavailableException("Redis: no answer within " + limitMillis + " ms");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException known) {
        throw known;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /**
   * @throws IllegalArgumentException when there is no such script
   */
  LuaScript source(Script<?> script) {
    return sources.computeIfAbsent(script.name(), name -> LuaScript.load(name, resources));
  }

  /**
   * Reads again a script that is in use. A new script is read at its first use. Blocks; never call
   * it on an event loop.
   *
   * @throws ScriptException when Redis cannot compile it; the previous version stays
   */
  public void reload(String name) {
    if (sources.containsKey(name)) {
      LuaScript saved = LuaScript.load(name, resources);
      CompletableFuture<String> loaded = new CompletableFuture<>();
      RedisLink link = connections.background();
      link.send(
          LinkCommand.text(
              CommandType.SCRIPT,
              new CommandArgs<>(StringCodec.UTF8).add("LOAD").add(saved.source()),
              (sha1, error) -> {
                if (error == null) {
                  loaded.complete(sha1);
                } else {
                  loaded.completeExceptionally(error);
                }
              }),
          link.deadline());
      await(loaded, WAIT_MARGIN * connections.settings().backgroundTimeout().toMillis());
      sources.put(name, saved);
    }
  }

  /** Begins to connect the event loops that will call. */
  void connect(Vertx vertx) {
    connections.connect(vertx);
  }

  /**
   * Connects and waits.
   *
   * @return false when the limit passes without a connection
   */
  boolean awaitConnected(Duration limit) throws InterruptedException {
    return connections.awaitConnected(limit);
  }

  /** Ends the connections of the event loops for good. */
  void disconnectEventLoops() {
    connections.closeThoseOfEventLoops();
  }

  /**
   * Runs a script on many books, or many times on one. On an event loop the replies come on that
   * loop, in the caller's Vert.x context, over the loop's own connection. Elsewhere they come on a
   * thread that must not block.
   *
   * @param reply gets the replies in the order of the calls, or the first failure, after all calls
   *     have ended
   */
  <R extends ScriptReply> void runAll(
      Script<R> script, List<? extends ScriptCall> calls, ReplyHandler<List<R>> reply) {
    if (calls.isEmpty()) {
      reply.accept(List.of(), null);
      return;
    }
    LuaScript source = source(script);
    String trusted = isReservation(script) ? guard.runId() : null;
    for (ScriptCall call : calls) {
      if (!isAdmitted(script, call)) {
        reply.accept(null, closed(call));
        return;
      }
    }
    ContextInternal context = RedisConnections.callingLoop();
    CircuitBreaker breaker = breaker(context != null);
    if (!breaker.tryAcquirePermission()) {
      reply.accept(
          null,
          new RedisUnavailableException(
              "Circuit breaker " + breaker.getName() + " is open; before that: " + lastFailure));
      return;
    }
    RedisLink link =
        context != null ? connections.of(context.nettyEventLoop()) : connections.background();
    new Batch<>(script, source, calls, trusted, link, context, breaker, reply).send();
  }

  /**
   * Sets the listener for outbox entries that scripts of this node write. It runs on the link's
   * loop.
   */
  public void whenQueued(LongConsumer listener) {
    whenQueued = listener;
  }

  private boolean isAdmitted(Script<?> script, ScriptCall call) {
    return !isReservation(script) || guard.admits(call.productId());
  }

  private static boolean isReservation(Script<?> script) {
    return script.name().equals(Script.RESERVE.name());
  }

  private static RedisUnavailableException closed(ScriptCall call) {
    return new RedisUnavailableException(
        "Admission of sale " + call.productId() + " is closed, because its book may be outdated");
  }

  private void heard(ScriptCall call, ScriptReply reply) {
    if (reply instanceof Reserved || reply instanceof SentAgain) {
      whenQueued.accept(call.productId());
    }
  }

  /** Calls that began together. Only the link's loop touches its state. */
  private final class Batch<R extends ScriptReply> {
    private final Script<R> script;
    private final LuaScript source;
    private final List<? extends ScriptCall> calls;
    private final String trusted;
    private final RedisLink link;
    private final ContextInternal context;
    private final CircuitBreaker breaker;
    private final ReplyHandler<List<R>> reply;
    private final List<R> replies;
    private final long deadline;
    private final long begun;
    private RuntimeException failure;
    private int open;

    private Batch(
        Script<R> script,
        LuaScript source,
        List<? extends ScriptCall> calls,
        String trusted,
        RedisLink link,
        ContextInternal context,
        CircuitBreaker breaker,
        ReplyHandler<List<R>> reply) {
      this.script = script;
      this.source = source;
      this.calls = calls;
      this.trusted = trusted;
      this.link = link;
      this.context = context;
      this.breaker = breaker;
      this.reply = reply;
      this.replies = new ArrayList<>(Collections.nCopies(calls.size(), null));
      this.deadline = link.deadline();
      this.begun = breaker.getCurrentTimestamp();
      this.open = calls.size();
    }

    private void send() {
      for (int i = 0; i < calls.size(); i++) {
        send(i, true);
      }
    }

    private void send(int i, boolean mayLoad) {
      ScriptCall call = calls.get(i);
      String run = call.run() != null ? call.run() : trusted;
      link.send(
          LinkCommand.evalsha(
              source, call, run, (value, error) -> answered(i, value, error, mayLoad)),
          deadline);
    }

    private void answered(int i, List<Object> value, RuntimeException error, boolean mayLoad) {
      if (error == null) {
        ended(read(i, value));
      } else if (!(error instanceof LinkCommand.NoScript)) {
        ended(error);
      } else if (mayLoad) {
        link.load(source, deadline, (nothing, notLoaded) -> loaded(i, notLoaded));
      } else {
        ended(new RedisUnavailableException("Redis keeps forgetting script " + script.name()));
      }
    }

    /** Reads a reply; returns null, or the error that makes it unusable. */
    private RuntimeException read(int i, List<Object> value) {
      try {
        R read = script.read(value);
        replies.set(i, read);
        heard(calls.get(i), read);
        return null;
      } catch (UnknownReplyException e) {
        return e;
      }
    }

    private void loaded(int i, RuntimeException error) {
      if (error != null) {
        ended(error);
      } else if (!isAdmitted(script, calls.get(i))) {
        ended(closed(calls.get(i)));
      } else {
        send(i, false);
      }
    }

    private void ended(RuntimeException error) {
      if (error != null && failure == null) {
        failure = error;
      }
      open--;
      if (open > 0) {
        return;
      }
      long took = breaker.getCurrentTimestamp() - begun;
      if (failure instanceof RedisUnavailableException) {
        lastFailure = failure.getMessage();
        breaker.onError(took, breaker.getTimestampUnit(), failure);
      } else {
        breaker.onSuccess(took, breaker.getTimestampUnit());
      }
      if (context == null) {
        report();
      } else {
        context.dispatch(nothing -> report());
      }
    }

    private void report() {
      if (failure == null) {
        reply.accept(replies, null);
      } else {
        reply.accept(null, failure);
      }
    }
  }
}
