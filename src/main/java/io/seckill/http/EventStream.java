package io.seckill.http;

import io.netty.channel.ChannelPipeline;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.concurrent.TimeUnit;

/**
 * A stream of server-sent events to one reader. It sends a comment when nothing else was sent for
 * ten seconds, and cuts a reader that does not take what it is sent. Confined to the event loop of
 * its connection, but for {@link #run}.
 */
public final class EventStream {
  public static final String MEDIA_TYPE = "text/event-stream";

  /** Of streams whose events are few: longer than between two comments. */
  static final long PATIENCE_MILLIS = 15_000;

  private static final long PERIOD_MILLIS = 5_000;
  private static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(9_000);
  private static final Buffer HEARTBEAT = Buffer.buffer(": heartbeat\n\n");

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final ContextInternal loop;
  private final long patienceNanos;
  private Runnable whenGone = () -> {};
  private long timer;
  private boolean over;
  private boolean stuck;
  private long stuckSince;
  private long writtenAt;

  /** Made on the event loop of the request. Sends nothing yet. */
  EventStream(HttpServerRequest request, long patienceMillis) {
    this.request = request;
    this.response = request.response();
    this.loop = ContextInternal.current();
    this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
  }

  /** The head of an answer that streams, which a request for the head alone gets as well. */
  static HttpServerResponse head(HttpServerResponse response) {
    return response
        .putHeader(HttpHeaders.CONTENT_TYPE, MEDIA_TYPE)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        // asks nginx not to hold events back
        .putHeader("X-Accel-Buffering", "no");
  }

  /** Runs this on the event loop: at once where this is its thread. */
  public void run(Runnable task) {
    if (loop.inThread()) {
      task.run();
    } else {
      loop.runOnContext(ignored -> task.run());
    }
  }

  /**
   * Sends the head. No route's answer is sent from now on.
   *
   * @param gone runs once, when the reader goes, is cut or was sent the end
   */
  public void begin(Runnable gone) {
    whenGone = gone;
    waitForSilentReader();
    response.closeHandler(closed -> leave());
    response.exceptionHandler(failed -> leave());
    // the connection has lost its idle limit, so it must not be kept
    head(response).putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE).setChunked(true);
    writtenAt = System.nanoTime();
    timer = loop.owner().setPeriodic(PERIOD_MILLIS, id -> run(this::beat));
  }

  /** A reader sends nothing: its silence is no reason to close the connection. */
  private void waitForSilentReader() {
    ChannelPipeline pipeline =
        ((ConnectionBase) request.connection()).channelHandlerContext().pipeline();
    if (pipeline.get("idle") != null) {
      pipeline.remove("idle");
    }
  }

  /**
   * Whether the reader has taken what it was sent. Cuts one that has not for too long, so ask
   * before each of many events.
   */
  boolean isTaking() {
    if (over || response.closed() || response.ended()) {
      leave();
      return false;
    }
    if (!response.writeQueueFull()) {
      stuck = false;
      return true;
    }
    if (!stuck) {
      stuck = true;
      stuckSince = System.nanoTime();
    } else if (System.nanoTime() - stuckSince > patienceNanos) {
      cut();
    }
    return false;
  }

  /** Sends events, or keeps them for a reader that does not take them: only where they are few. */
  public void write(Buffer events) {
    if (!over) {
      writtenAt = System.nanoTime();
      response.write(events);
    }
  }

  private void beat() {
    if (isTaking() && System.nanoTime() - writtenAt >= SILENCE_NANOS) {
      write(HEARTBEAT);
    }
  }

  /** Ends the stream after what was written. */
  public void end() {
    if (!over) {
      response.end().onComplete(sent -> request.connection().close());
      leave();
    }
  }

  /** Closes the connection, whatever it has still to take. */
  void cut() {
    request.connection().close();
    leave();
  }

  private void leave() {
    if (!over) {
      over = true;
      loop.owner().cancelTimer(timer);
      whenGone.run();
    }
  }
}
