package io.seckill.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.seckill.StartRefusedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to Redis on one event loop. Only that loop's thread touches it, so a caller on the
 * loop gets its answer without a change of thread.
 *
 * <p>The link flushes once at the end of each turn of the loop. A call without an answer within the
 * time-out fails. When the connection breaks, its pending calls fail and are not sent again. While
 * there is no connection, calls fail at once; only before the first connection do they wait, within
 * the time-out. A new connection takes calls after the link has read and reported Redis's run_id; a
 * call that is meant for a Redis of another run_id fails. The link reconnects for ever.
 */
public final class RedisLink {
  private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);
  private static final Pattern RUN_ID = Pattern.compile("run_id:([0-9a-f]+)");
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;
  private static final int CHECKS_PER_TIMEOUT = 8;
  private static final int WAITING_LIMIT = 10_000;

  private enum State {
    IDLE,
    CONNECTING,
    UP,
    CLOSED
  }

  private final String name;
  private final EventLoop loop;
  private final Duration timeout;
  private final Duration stallTimeout;
  private final RedisURI uri;
  private final ClientResources resources;
  private final RedisClient client;
  private final BiConsumer<RedisLink, String> runIds;
  private final Runnable connected;
  private final CompletableFuture<Void> firstConnection = new CompletableFuture<>();
  private volatile boolean up;

  private State state = State.IDLE;
  private boolean everConnected;
  private String runId = "";
  private int failedAttempts;
  private String failure = "";
  private Channel channel;
  private StatefulRedisConnection<String, String> connection;
  private final ArrayDeque<LinkCommand<?>> waiting = new ArrayDeque<>();
  private final ArrayDeque<LinkCommand<?>> onTheWay = new ArrayDeque<>();
  private final Map<String, List<ReplyHandler<Void>>> loading = new HashMap<>();
  private boolean flushScheduled;
  private boolean checkScheduled;
  private long lastCheck = System.nanoTime();
  private int connectionNumber;
  private int unanswered;
  private long lastAnswer;

  /**
   * @param shared resources of all links; loop and channel belong to this link alone
   * @param runIds gets this link and Redis's run_id on the loop, before the link takes calls
   * @param connected runs on the loop each time the link begins to take calls
   */
  RedisLink(
      String name,
      EventLoop loop,
      RedisSettings settings,
      Duration timeout,
      ClientResources shared,
      BiConsumer<RedisLink, String> runIds,
      Runnable connected) {
    this.name = name;
    this.loop = loop;
    this.timeout = timeout;
    this.stallTimeout = settings.stallTimeout();
    this.runIds = runIds;
    this.connected = connected;
    this.uri = settings.address();
    this.resources =
        ClientResources.builder()
            .eventLoopGroupProvider(new GivenLoop(loop))
            .eventExecutorGroup(shared.eventExecutorGroup())
            .timer(shared.timer())
            .eventBus(shared.eventBus())
            .commandLatencyRecorder(CommandLatencyRecorder.disabled())
            .nettyCustomizer(
                new NettyCustomizer() {
                  @Override
                  public void afterChannelInitialized(Channel opened) {
                    channel = opened;
                    opened.closeFuture().addListener(closed -> lost(opened));
                  }
                })
            .build();
    this.client = RedisClient.create(resources, uri);
    client.setOptions(
        settings
            .clientOptions()
            .autoReconnect(false)
            .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
            .build());
  }

  /** Begins to connect, unless begun. Any thread. */
  public void connect() {
    onLoop(
        () -> {
          if (state == State.IDLE) {
            open();
          }
        });
  }

  /** Whether the link takes calls now. Any thread. */
  boolean isUp() {
    return up;
  }

  boolean inLoop() {
    return loop.inEventLoop();
  }

  /**
   * Completes with the first connection that takes calls, or fails with a {@link
   * StartRefusedException} when Redis refuses it.
   */
  CompletableFuture<Void> firstConnection() {
    return firstConnection;
  }

  /** The time at which a call that begins now times out. */
  public long deadline() {
    return System.nanoTime() + timeout.toNanos();
  }

  public long timeoutMillis() {
    return timeout.toMillis();
  }

  /** Sends a command; its reply comes on this link's loop. Any thread. */
  public void send(LinkCommand<?> command, long deadline) {
    command.deadline = deadline;
    if (loop.inEventLoop()) {
      take(command);
      return;
    }
    try {
      loop.execute(() -> take(command));
    } catch (RejectedExecutionException e) {
      command.fail(new RedisUnavailableException("Redis: this node is stopping"));
    }
  }

  /**
   * Loads a script into Redis. It also reads the run_id again, because a Redis that does not know a
   * script may have been replaced. Calls for the same script share one attempt. On the loop.
   */
  void load(LuaScript script, long deadline, ReplyHandler<Void> reply) {
    List<ReplyHandler<Void>> shared = loading.get(script.sha1());
    if (shared != null) {
      shared.add(reply);
      return;
    }
    loading.put(script.sha1(), new ArrayList<>(List.of(reply)));
    ReplyHandler<Void> finished =
        (nothing, error) ->
            loading.remove(script.sha1()).forEach(waiter -> waiter.accept(null, error));
    CommandArgs<String, String> args =
        new CommandArgs<>(StringCodec.UTF8).add("LOAD").add(script.source());
    send(
        LinkCommand.text(
            CommandType.SCRIPT,
            args,
            (sha1, error) -> {
              if (error != null) {
                finished.accept(null, error);
              } else {
                readRunId(deadline, finished);
              }
            }),
        deadline);
  }

  private void readRunId(long deadline, ReplyHandler<Void> reply) {
    send(
        LinkCommand.text(
            CommandType.INFO,
            new CommandArgs<>(StringCodec.UTF8).add("server"),
            (info, error) -> {
              if (error == null) {
                isRun(info);
              }
              reply.accept(null, error);
            }),
        deadline);
  }

  private void isRun(String info) {
    Matcher found = RUN_ID.matcher(info);
    runId = found.find() ? found.group(1) : "";
    runIds.accept(this, runId);
  }

  /** Connects anew unless this connection's Redis is of that run: its books are others. */
  void cutUnless(String expected) {
    onLoop(
        () -> {
          if (state == State.UP && !runId.equals(expected)) {
            LOG.warn(
                "Redis ({}) is of run {}, others of {}: connecting anew", name, runId, expected);
            channel.close();
          }
        });
  }

  private void take(LinkCommand<?> command) {
    if (state == State.UP) {
      dispatch(command);
    } else if (state == State.CLOSED) {
      command.fail(new RedisUnavailableException("Redis: this node is stopping"));
    } else if (everConnected || waiting.size() >= WAITING_LIMIT) {
      command.fail(notConnected());
    } else {
      waiting.add(command);
      scheduleCheck();
      if (state == State.IDLE) {
        open();
      }
    }
  }

  private void dispatch(LinkCommand<?> command) {
    if (command.isReported()) {
      return;
    }
    if (!command.mayReach(runId)) {
      command.fail(new RedisUnavailableException("Redis: this is not the one that was looked at"));
      return;
    }
    if (unanswered == 0) {
      lastAnswer = System.nanoTime();
    }
    unanswered++;
    command.sentOn(this, connectionNumber);
    onTheWay.add(command);
    connection.dispatch(command);
    if (!flushScheduled) {
      flushScheduled = true;
      loop.execute(this::flush);
    }
    scheduleCheck();
  }

  /**
   * Sends what this turn of the loop wrote, and starts the time-outs of these calls. A turn may
   * take long when very many requests come at once, so a time-out must not begin before its call is
   * sent. Netty's FlushConsolidationHandler takes as much CPU time, but does not tell when it sends
   * a call.
   */
  private void flush() {
    flushScheduled = false;
    if (connection == null) {
      return;
    }
    connection.flushCommands();
    long earliest = System.nanoTime() + timeout.toNanos() / 2;
    Iterator<LinkCommand<?>> latestFirst = onTheWay.descendingIterator();
    while (latestFirst.hasNext()) {
      LinkCommand<?> command = latestFirst.next();
      if (command.flushed) {
        break;
      }
      command.flushed = true;
      if (command.deadline - earliest < 0) {
        command.deadline = earliest;
      }
    }
  }

  /** Lettuce has completed a command of this connection. */
  void answered(int connectionNumber) {
    if (connectionNumber != this.connectionNumber) {
      return;
    }
    unanswered--;
    lastAnswer = System.nanoTime();
    while (!onTheWay.isEmpty() && onTheWay.peek().isDone()) {
      onTheWay.poll();
    }
  }

  private void scheduleCheck() {
    if (!checkScheduled) {
      checkScheduled = true;
      loop.schedule(this::check, timeout.toNanos() / CHECKS_PER_TIMEOUT, TimeUnit.NANOSECONDS);
    }
  }

  /**
   * Fails the calls that were due at the previous check. Since then the loop has read Redis's
   * answers, even if requests kept it busy for longer than the time-out.
   */
  private void check() {
    checkScheduled = false;
    long now = System.nanoTime();
    expire(waiting, lastCheck, this::notConnected);
    expire(onTheWay, lastCheck, this::notAnswered);
    lastCheck = now;
    if (unanswered > 0 && channel != null && now - lastAnswer > stallTimeout.toNanos()) {
      LOG.warn("Redis ({}) has not answered for {}: connecting again", name, stallTimeout);
      channel.close();
      return;
    }
    if (unanswered > 0 || !waiting.isEmpty()) {
      scheduleCheck();
    }
  }

  private static void expire(
      ArrayDeque<LinkCommand<?>> commands, long now, Supplier<RuntimeException> reason) {
    while (!commands.isEmpty()
        && (commands.peek().isReported() || now - commands.peek().deadline >= 0)) {
      commands.poll().fail(reason.get());
    }
  }

  private RedisUnavailableException notAnswered() {
    return new RedisUnavailableException("Redis: no answer within " + timeout.toMillis() + " ms");
  }

  private void open() {
    state = State.CONNECTING;
    try {
      client
          .connectAsync(StringCodec.UTF8, uri)
          .whenComplete((opened, error) -> onLoop(() -> opened(opened, error)));
    } catch (RuntimeException e) {
      retry(e);
    }
  }

  private void opened(StatefulRedisConnection<String, String> opened, Throwable error) {
    if (error != null) {
      retry(error);
      return;
    }
    if (state == State.CLOSED) {
      opened.closeAsync();
      return;
    }
    opened.setAutoFlushCommands(false);
    connection = opened;
    LinkCommand<String> info =
        LinkCommand.text(
            CommandType.INFO,
            new CommandArgs<>(StringCodec.UTF8).add("server"),
            (text, failure) -> {
              if (failure != null) {
                abandon();
                retry(failure);
              } else if (state == State.CONNECTING) {
                isRun(text);
                begin();
              }
            });
    info.deadline = deadline();
    dispatch(info);
  }

  private void begin() {
    state = State.UP;
    up = true;
    everConnected = true;
    failedAttempts = 0;
    failure = "";
    LOG.info("Connected to Redis ({})", name);
    connected.run();
    while (!waiting.isEmpty()) {
      dispatch(waiting.poll());
    }
    firstConnection.complete(null);
  }

  private void retry(Throwable cause) {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CONNECTING;
    long pause = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failedAttempts, 10));
    Optional<String> refusal = RedisRefusal.of(cause);
    String before = failure;
    failure = refusal.orElseGet(() -> String.valueOf(rootOf(cause).getMessage()));
    if (failedAttempts++ == 0 || refusal.isPresent() && !failure.equals(before)) {
      LOG.warn("Cannot connect to Redis ({}), trying again: {}", name, failure);
    }
    if (refusal.isPresent()) {
      firstConnection.completeExceptionally(
          new StartRefusedException(RedisRefusal.asSentence(failure)));
      waiting.forEach(command -> command.fail(notConnected()));
    }
    loop.schedule(
        () -> {
          if (state == State.CONNECTING) {
            open();
          }
        },
        pause + ThreadLocalRandom.current().nextLong(FIRST_PAUSE_MILLIS),
        TimeUnit.MILLISECONDS);
  }

  private RedisUnavailableException notConnected() {
    return new RedisUnavailableException(
        failure.isEmpty() ? "Redis: not connected" : "Redis: not connected: " + failure);
  }

  private void lost(Channel closed) {
    if (closed != channel) {
      return;
    }
    channel = null;
    boolean wasUp = state == State.UP;
    abandon();
    if (wasUp) {
      LOG.warn("The connection to Redis ({}) is lost", name);
      retry(new RedisUnavailableException("connection lost"));
    }
  }

  /** Drops the connection; its pending calls fail. */
  private void abandon() {
    up = false;
    StatefulRedisConnection<String, String> old = connection;
    connection = null;
    if (old != null) {
      old.closeAsync();
    }
    connectionNumber++;
    unanswered = 0;
    List<LinkCommand<?>> lost = new ArrayList<>(onTheWay);
    onTheWay.clear();
    for (LinkCommand<?> command : lost) {
      command.fail(new RedisUnavailableException("Redis: the connection broke"));
    }
  }

  /** Fails the pending calls and takes no more. Any thread. */
  CompletableFuture<Void> close() {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    AtomicBoolean begun = new AtomicBoolean();
    Runnable shut =
        () -> {
          if (begun.compareAndSet(false, true)) {
            client
                .shutdownAsync(0, 1, TimeUnit.SECONDS)
                .whenComplete(
                    (nothing, error) -> {
                      resources.shutdown(0, 0, TimeUnit.MILLISECONDS);
                      closed.complete(null);
                    });
          }
        };
    try {
      loop.execute(
          () -> {
            state = State.CLOSED;
            abandon();
            List<LinkCommand<?>> left = new ArrayList<>(waiting);
            waiting.clear();
            left.forEach(
                command ->
                    command.fail(new RedisUnavailableException("Redis: this node is stopping")));
            shut.run();
          });
    } catch (RejectedExecutionException loopIsGone) {
      shut.run();
    }
    return closed;
  }

  private void onLoop(Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
      return;
    }
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("Redis ({}): the event loop has stopped", name);
    }
  }

  private static Throwable rootOf(Throwable error) {
    Throwable root = error;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root;
  }
}
