package io.seckill.http;

import io.seckill.answer.Problem;
import io.seckill.answer.Refusals;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/** Reads the body of one request into memory, up to a limit. */
final class BodyReader {
  private static final Buffer EMPTY = Buffer.buffer();

  private final HttpServerRequest request;
  private final int limit;
  private final Consumer<Buffer> whenRead;
  private Buffer body = EMPTY;
  private boolean refused;

  private BodyReader(HttpServerRequest request, int limit, Consumer<Buffer> whenRead) {
    this.request = request;
    this.limit = limit;
    this.whenRead = whenRead;
  }

  /**
   * Calls back on the request's event loop once the whole body is there; without a body, at once. A
   * body over the limit is answered 413 and dropped. The body of a client that left is dropped,
   * too.
   */
  static void read(HttpServerRequest request, int limit, Consumer<Buffer> whenRead) {
    String length = request.headers().get(HttpHeaders.CONTENT_LENGTH);
    if (length == null
        ? !request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
        : length.equals("0")) {
      whenRead.accept(EMPTY);
      return;
    }
    BodyReader reader = new BodyReader(request, limit, whenRead);
    if (length != null && longer(length, limit)) {
      reader.refuse();
      return;
    }
    if ("100-continue".equalsIgnoreCase(request.headers().get(HttpHeaders.EXPECT))) {
      request.response().writeContinue();
    }
    request.handler(reader::append).endHandler(ignored -> reader.end());
  }

  private static boolean longer(String length, int limit) {
    return length.length() > 9 || Integer.parseInt(length) > limit;
  }

  private void append(Buffer chunk) {
    if (refused) {
      return;
    }
    if (body.length() + chunk.length() > limit) {
      refuse();
      return;
    }
    body = body.length() == 0 ? chunk : body.copy().appendBuffer(chunk);
  }

  private void end() {
    if (!refused) {
      whenRead.accept(body);
    }
  }

  private void refuse() {
    refused = true;
    body = EMPTY;
    ServerAnswers.sendAndClose(request, Problem.of(Refusals.bodyTooLarge()));
  }
}
