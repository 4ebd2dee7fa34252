package io.seckill.http;

import io.netty.channel.ChannelPipeline;
import io.seckill.answer.Problem;
import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.domain.PositiveId;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Streams of server-sent events at one path. All readers of a node get the same events. A stream
 * lives until its reader goes, or until the reader does not take what it is sent. The number of
 * streams is bounded. Thread-safe.
 *
 * <p>A handler of the server, because a Camel route cannot stream an answer that goes on.
 */
public final class EventStreams implements AutoCloseable {
  private static final long HEARTBEAT_MILLIS = 10_000;
  private static final Buffer HEARTBEAT = Buffer.buffer(": heartbeat\n\n");
  private static final String PRODUCT = "productId";

  /** What there is to send now, in the form of server-sent events. */
  public interface Events {
    /**
     * What a reader gets that has nothing yet, or was left out since.
     *
     * @param productId the product whose detail the reader wants; 0 for none
     */
    Buffer first(long productId);

    /** What a reader gets that has all before. */
    Buffer next(long productId);
  }

  private final Vertx vertx;
  private final int max;
  private final long patienceNanos;
  private final Supplier<Events> now;
  private final Set<Reader> readers = ConcurrentHashMap.newKeySet();
  private final RequestDispatcher.Registration registration;
  private final long heartbeat;

  /**
   * Serves the path from now on.
   *
   * @param max number of streams; a further reader is refused
   * @param patienceMillis after which a reader is cut that does not take what it is sent
   * @param now gives what a new reader gets; called on a worker thread
   */
  public EventStreams(
      RequestDispatcher dispatcher,
      Vertx vertx,
      String path,
      int max,
      long patienceMillis,
      Supplier<Events> now) {
    this.vertx = vertx;
    this.max = max;
    this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    this.now = now;
    this.registration =
        dispatcher.register(path, Set.of(HttpMethod.GET), (request, parameters) -> open(request));
    this.heartbeat = vertx.setPeriodic(HEARTBEAT_MILLIS, timer -> readers.forEach(Reader::beat));
  }

  /** Number of streams that are open. */
  public int open() {
    return readers.size();
  }

  /** Sends to all readers. Does not wait for them. */
  public void send(Events events) {
    readers.forEach(reader -> reader.context.runOnContext(go -> reader.send(events)));
  }

  private void open(HttpServerRequest request) {
    long productId = 0;
    String asked = request.getParam(PRODUCT);
    if (asked != null) {
      productId = PositiveId.parse(asked);
      if (productId == PositiveId.INVALID) {
        ServerAnswers.send(
            request,
            Problem.of(Refusals.invalid("The productId must be a positive 64-bit integer.")));
        return;
      }
    }
    HttpServerResponse response = request.response();
    if (request.method().equals(HttpMethod.HEAD)) {
      begin(response).end();
      return;
    }
    if (readers.size() >= max) {
      ServerAnswers.send(
          request,
          Problem.of(
              Refusal.of(503, "TOO_MANY_STREAMS", "This node has as many streams as it may.")
                  .retryAfter(Refusals.RETRY_SECONDS)));
      return;
    }
    waitForSilentReader(request);
    Reader reader = new Reader(request, productId);
    readers.add(reader);
    response.closeHandler(gone -> readers.remove(reader));
    response.exceptionHandler(gone -> readers.remove(reader));
    begin(response).setChunked(true);
    vertx
        .executeBlocking(now::get, false)
        .onSuccess(events -> reader.context.runOnContext(go -> reader.begin(events)))
        .onFailure(reason -> reader.context.runOnContext(go -> reader.cut()));
  }

  private static HttpServerResponse begin(HttpServerResponse response) {
    return response
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        // asks nginx not to hold events back
        .putHeader("X-Accel-Buffering", "no");
  }

  /** A reader sends nothing: its silence is no reason to close the connection. */
  private static void waitForSilentReader(HttpServerRequest request) {
    ChannelPipeline pipeline =
        ((ConnectionBase) request.connection()).channelHandlerContext().pipeline();
    if (pipeline.get("idle") != null) {
      pipeline.remove("idle");
    }
  }

  /** Serves no more, and ends all streams. */
  @Override
  public void close() {
    registration.close();
    vertx.cancelTimer(heartbeat);
    readers.forEach(reader -> reader.context.runOnContext(go -> reader.cut()));
  }

  /** Lives on the event loop of its connection. */
  private final class Reader {
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Context context = vertx.getOrCreateContext();
    private final long productId;
    private boolean complete;
    private boolean stuck;
    private long stuckSince;
    private volatile long writtenAt = System.nanoTime();

    Reader(HttpServerRequest request, long productId) {
      this.request = request;
      this.response = request.response();
      this.productId = productId;
    }

    void begin(Events events) {
      if (!complete) {
        send(events);
      }
    }

    void send(Events events) {
      if (response.closed() || response.ended()) {
        readers.remove(this);
        return;
      }
      if (response.writeQueueFull()) {
        complete = false;
        if (!stuck) {
          stuck = true;
          stuckSince = System.nanoTime();
        } else if (System.nanoTime() - stuckSince > patienceNanos) {
          cut();
        }
        return;
      }
      stuck = false;
      write(complete ? events.next(productId) : events.first(productId));
      complete = true;
    }

    void beat() {
      if (System.nanoTime() - writtenAt > TimeUnit.MILLISECONDS.toNanos(HEARTBEAT_MILLIS)) {
        context.runOnContext(
            go -> {
              if (!response.closed() && !response.writeQueueFull()) {
                write(HEARTBEAT);
              }
            });
      }
    }

    private void write(Buffer events) {
      writtenAt = System.nanoTime();
      response.write(events);
    }

    void cut() {
      readers.remove(this);
      request.connection().close();
    }
  }
}
