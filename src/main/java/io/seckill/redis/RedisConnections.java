package io.seckill.redis;

import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.seckill.StartRefusedException;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import java.io.Closeable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * This node's connections to Redis: one on each Vert.x event loop that calls, and, on a separate
 * loop, one for background calls and one for reading outboxes. It opens each at its first use.
 */
public final class RedisConnections implements Closeable {
  static {
    // Vert.x runs on NIO, so Lettuce must not choose a native channel for its loops.
    for (String transport : List.of("epoll", "kqueue", "iouring")) {
      System.setProperty("io.lettuce.core." + transport, "false");
    }
  }

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

  private final RedisSettings settings;
  private final Map<EventLoop, RedisLink> links = new ConcurrentHashMap<>();
  private final List<Consumer<String>> runIdListeners = new CopyOnWriteArrayList<>();
  private final List<Runnable> replacementListeners = new CopyOnWriteArrayList<>();
  private final List<Consumer<Boolean>> connectListeners = new CopyOnWriteArrayList<>();
  private volatile String runId;
  private Own own;

  /** The parts that the first call makes. */
  private record Own(
      NioEventLoopGroup loops, ClientResources resources, RedisLink background, RedisLink outbox) {}

  public RedisConnections(RedisSettings settings) {
    this.settings = settings;
  }

  RedisSettings settings() {
    return settings;
  }

  /** The listener gets each run_id that was read, on an event loop: it must not block. */
  void onRunId(Consumer<String> listener) {
    runIdListeners.add(listener);
  }

  /** The listener runs when another Redis is found, on an event loop: it must not block. */
  void onReplacement(Runnable listener) {
    replacementListeners.add(listener);
  }

  /**
   * The listener runs whenever a connection begins to take calls; true means an event loop's
   * connection.
   */
  void onConnect(Consumer<Boolean> listener) {
    connectListeners.add(listener);
  }

  /** Begins to connect, for background calls. Does not wait. */
  public void connect() {
    background().connect();
  }

  /** Begins to connect the event loops that will call, so that the first buyer does not wait. */
  void connect(Vertx vertx) {
    for (EventExecutor loop : ((VertxInternal) vertx).getEventLoopGroup()) {
      of((EventLoop) loop).connect();
    }
  }

  /**
   * Begins to connect, unless begun, and waits for the background connection and for those of the
   * known event loops.
   *
   * @return false when some are missing after the limit; attempts go on
   * @throws StartRefusedException when Redis refuses a connection
   */
  public boolean awaitConnected(Duration limit) throws InterruptedException {
    connect();
    CompletableFuture<?>[] all =
        Stream.concat(Stream.of(background()), links.values().stream())
            .map(RedisLink::firstConnection)
            .toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(all).get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw StartRefusedException.in(e).orElseThrow(() -> new IllegalStateException(e));
    }
  }

  /**
   * Whether the background connection, and that of every event loop that ever called, takes calls
   * now.
   */
  public boolean isConnected() {
    return background().isUp() && links.values().stream().allMatch(RedisLink::isUp);
  }

  /** The latest run_id of Redis; empty before the first connection. */
  public Optional<String> runId() {
    return Optional.ofNullable(runId);
  }

  /** The Vert.x context of the calling thread's event loop, or null. */
  static ContextInternal callingLoop() {
    return Vertx.currentContext() instanceof ContextInternal context
            && context.nettyEventLoop().inEventLoop()
        ? context
        : null;
  }

  /** The connection of an event loop. */
  RedisLink of(EventLoop loop) {
    RedisLink link = links.get(loop);
    return link != null ? link : links.computeIfAbsent(loop, this::newRequestLink);
  }

  private RedisLink newRequestLink(EventLoop loop) {
    return newLink(
        "requests " + (links.size() + 1),
        loop,
        settings.requestTimeout(),
        own().resources(),
        () -> connectListeners.forEach(listener -> listener.accept(true)));
  }

  RedisLink background() {
    return own().background();
  }

  /** The connection for reading outboxes, whose large answers must not delay background calls. */
  public RedisLink outbox() {
    return own().outbox();
  }

  private synchronized Own own() {
    if (own == null) {
      NioEventLoopGroup loops =
          new NioEventLoopGroup(1, new DefaultThreadFactory("seckill-redis", true));
      EventLoop loop = loops.next();
      ClientResources resources =
          ClientResources.builder()
              .eventLoopGroupProvider(new GivenLoop(loop))
              .computationThreadPoolSize(2)
              .commandLatencyRecorder(CommandLatencyRecorder.disabled())
              .build();
      Duration timeout = settings.backgroundTimeout();
      own =
          new Own(
              loops,
              resources,
              newLink(
                  "background",
                  loop,
                  timeout,
                  resources,
                  () -> connectListeners.forEach(listener -> listener.accept(false))),
              newLink("outbox", loop, timeout, resources, () -> {}));
    }
    return own;
  }

  private RedisLink newLink(
      String name,
      EventLoop loop,
      Duration timeout,
      ClientResources resources,
      Runnable connected) {
    return new RedisLink(name, loop, settings, timeout, resources, this::readRunId, connected);
  }

  /**
   * What one connection finds holds for all: a connection that still reaches the Redis of another
   * run, such as a master that was replaced, is cut.
   */
  private synchronized void readRunId(RedisLink link, String id) {
    boolean first = runId == null;
    boolean changed = !id.equals(runId);
    runId = id;
    runIdListeners.forEach(listener -> listener.accept(id));
    if (changed) {
      links.values().forEach(other -> cut(other, link, id));
      if (own != null) {
        cut(own.background(), link, id);
        cut(own.outbox(), link, id);
      }
      if (!first) {
        replacementListeners.forEach(Runnable::run);
      }
    }
  }

  private static void cut(RedisLink other, RedisLink link, String id) {
    if (other != link) {
      other.cutUnless(id);
    }
  }

  /** Closes the event loops' connections for good, before the loops end; pending calls fail. */
  void closeThoseOfEventLoops() {
    close(links.values().stream());
  }

  private static void close(Stream<RedisLink> links) {
    CompletableFuture<?>[] closed =
        links.map(RedisLink::close).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(closed).get(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // the end of their loops also ends connections that did not close in time
    }
  }

  /** Closes all connections for good; pending calls fail. */
  @Override
  public void close() {
    Own closing;
    synchronized (this) {
      closing = own;
    }
    if (closing == null) {
      return;
    }
    close(
        Stream.concat(links.values().stream(), Stream.of(closing.background(), closing.outbox())));
    closing.resources().shutdown(0, CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    closing.loops().shutdownGracefully(0, CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }
}
