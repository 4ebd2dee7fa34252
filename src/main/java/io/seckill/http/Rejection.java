package io.seckill.http;

import io.seckill.answer.Answer;
import io.seckill.answer.Problem;
import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;

/**
 * Why a server answers a request itself, before any route, and closes its connection. Nothing that
 * came after the request is taken: where it began may not be what its sender, or a proxy, believes.
 */
enum Rejection {
  MALFORMED(Refusals.ofServer(400)),
  FRAMING(Refusals.invalid("The length of the request's body is ambiguous.")),
  HOST(Refusals.invalid("A request has one Host header, with a name and perhaps a port.")),
  TARGET(Refusals.invalid("The path is not in its normal form, or not valid percent-encoding.")),
  MEDIA_TYPE(Refusals.invalid("The Content-Type is not a media type.")),
  LINE(Refusals.ofServer(414)),
  HEADERS(Refusals.ofServer(431)),
  METHOD(Refusal.of(501, "NOT_IMPLEMENTED", "The method is unknown.")),
  CODING(Refusal.of(501, "NOT_IMPLEMENTED", "The only transfer coding taken is chunked.")),
  VERSION(Refusal.of(505, "VERSION_NOT_SUPPORTED", "The versions taken are HTTP/1.0 and 1.1.")),
  HEAD_TIMEOUT(Refusal.of(408, "REQUEST_TIMEOUT", "The request's headers took too long.")),
  BODY_TIMEOUT(Refusal.of(408, "REQUEST_TIMEOUT", "The request's body took too long.")),
  CONNECTIONS(
      Refusal.of(503, "UNAVAILABLE", "Too many connections are open. Try again.")
          .retryAfter(Refusals.RETRY_SECONDS));

  private final Answer answer;

  Rejection(Refusal refusal) {
    this.answer = Problem.of(refusal).with("Connection", "close");
  }

  /** What the client is answered. */
  Answer answer() {
    return answer;
  }
}
