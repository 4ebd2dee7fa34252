package io.seckill.http;

import io.seckill.answer.Answer;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/** Sends the answers that the server itself makes, without a route. */
final class ServerAnswers {
  private ServerAnswers() {}

  /** Sends the answer. Does nothing when an answer was sent or the client is gone. */
  static void send(HttpServerRequest request, Answer answer) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed() || response.headWritten()) {
      return;
    }
    response
        .setStatusCode(answer.status())
        .putHeader(HttpHeaders.CONTENT_TYPE, answer.contentType());
    answer.headers().forEach(response::putHeader);
    response.end(Buffer.buffer(answer.body()));
  }

  /** Sends the answer and closes the connection without reading the rest of the request. */
  static void sendAndClose(HttpServerRequest request, Answer answer) {
    send(request, answer.with("Connection", "close"));
  }
}
