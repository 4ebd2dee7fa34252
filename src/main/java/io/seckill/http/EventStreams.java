package io.seckill.http;

import io.seckill.answer.Problem;
import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.domain.PositiveId;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Streams of server-sent events at one path. All readers of a node get the same events. A stream
 * lives until its reader goes, or until the reader does not take what it is sent. The number of
 * streams is bounded. Thread-safe.
 *
 * <p>A handler of the server, because a Camel route cannot stream an answer that goes on.
 */
public final class EventStreams implements AutoCloseable {
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
  private final long patienceMillis;
  private final Supplier<Events> now;
  private final Set<Reader> readers = ConcurrentHashMap.newKeySet();
  private final RequestDispatcher.Registration registration;

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
    this.patienceMillis = patienceMillis;
    this.now = now;
    this.registration =
        dispatcher.register(path, Set.of(HttpMethod.GET), (request, parameters) -> open(request));
  }

  /** Number of streams that are open. */
  public int open() {
    return readers.size();
  }

  /** Sends to all readers. Does not wait for them. */
  public void send(Events events) {
    readers.forEach(reader -> reader.stream.run(() -> reader.send(events)));
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
      EventStream.head(response).end();
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
    Reader reader = new Reader(new EventStream(request, patienceMillis), productId);
    readers.add(reader);
    reader.stream.begin(() -> readers.remove(reader));
    vertx
        .executeBlocking(now::get, false)
        .onSuccess(events -> reader.stream.run(() -> reader.begin(events)))
        .onFailure(reason -> reader.stream.run(reader.stream::cut));
  }

  /** Serves no more, and ends all streams. */
  @Override
  public void close() {
    registration.close();
    readers.forEach(reader -> reader.stream.run(reader.stream::cut));
  }

  /** Lives on the event loop of its connection. */
  private static final class Reader {
    private final EventStream stream;
    private final long productId;
    private boolean complete;

    Reader(EventStream stream, long productId) {
      this.stream = stream;
      this.productId = productId;
    }

    void begin(Events events) {
      if (!complete) {
        send(events);
      }
    }

    void send(Events events) {
      if (stream.isTaking()) {
        stream.write(complete ? events.next(productId) : events.first(productId));
        complete = true;
      } else {
        complete = false;
      }
    }
  }
}
