package io.seckill.answer;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.seckill.rate.Standing;
import io.seckill.sql.MySqlFault;

/** The refusals that several places share. Each call returns a new or an immutable one. */
public final class Refusals {
  /** Seconds until a caller should try again while a server is away. */
  public static final int RETRY_SECONDS = 1;

  private static final Refusal DEGRADED =
      Refusal.of(503, "DEGRADED", "The sale is not available now. Try again.")
          .retryAfter(RETRY_SECONDS);
  private static final Refusal UNKNOWN_PRODUCT =
      Refusal.of(404, "UNKNOWN_PRODUCT", "There is no sale of this product.");
  private static final Refusal THROTTLED =
      Refusal.of(429, "THROTTLED", "Too many requests. Try again later.");
  private static final Refusal INTERNAL_ERROR =
      Refusal.of(500, "INTERNAL_ERROR", "The request failed; the log says why.");
  private static final Refusal UNAVAILABLE =
      Refusal.of(503, "UNAVAILABLE", "The application is starting or stopping. Try again.")
          .retryAfter(RETRY_SECONDS);
  private static final Refusal TOO_LARGE =
      Refusal.of(413, "BODY_TOO_LARGE", "The body may have at most 4 KiB.");

  private Refusals() {}

  /** 503: Redis, the sale's book or MySQL is away. */
  public static Refusal degraded() {
    return DEGRADED;
  }

  /** 503: MySQL answers, but cannot execute the statement now. */
  static Refusal degraded(MySqlFault fault) {
    return Refusal.of(
            503, DEGRADED.code(), fault.reason() + ". The call may be repeated once that is over.")
        .retryAfter(RETRY_SECONDS);
  }

  /** 404: no sale of this product. */
  public static Refusal unknownProduct() {
    return UNKNOWN_PRODUCT;
  }

  /** 429: the request is over the rate that the standing names. */
  public static Refusal throttled(Standing refused) {
    return THROTTLED.with("limit", refused.limit().label()).retryAfter(RateFields.seconds(refused));
  }

  /** 400: an id, a key, a parameter or the body is malformed. */
  public static Refusal invalid(String detail) {
    return Refusal.of(400, "INVALID_REQUEST", detail);
  }

  /** 500: a fault of this application. */
  public static Refusal internalError() {
    return INTERNAL_ERROR;
  }

  /** 503: the routes have not started yet, or are stopping. */
  public static Refusal unavailable() {
    return UNAVAILABLE;
  }

  /** 413: the body is over the limit. */
  public static Refusal bodyTooLarge() {
    return TOO_LARGE;
  }

  /** The refusal that the HTTP server itself gives with this status. */
  public static Refusal ofServer(int status) {
    return switch (status) {
      case 400 -> invalid("The request is not valid HTTP.");
      case 403 -> Refusal.of(403, "UNKNOWN_ORIGIN", "Pages of this origin may not call this path.");
      case 404 -> Refusal.of(404, "NOT_FOUND", "There is nothing at this path.");
      case 405 -> Refusal.of(405, "METHOD_NOT_ALLOWED", "This path does not take this method.");
      case 413 -> TOO_LARGE;
      case 414 -> Refusal.of(414, "URI_TOO_LONG", "The request line is too long.");
      case 415 -> Refusal.of(415, "UNSUPPORTED_MEDIA_TYPE", "The body must be JSON.");
      case 421 -> Refusal.of(421, "UNKNOWN_HOST", "This server does not answer to this host name.");
      case 431 -> Refusal.of(431, "HEADERS_TOO_LARGE", "The request's headers are too large.");
      case 503 -> UNAVAILABLE;
      default ->
          status >= 500
              ? INTERNAL_ERROR
              : Refusal.of(status, "REFUSED", HttpResponseStatus.valueOf(status).reasonPhrase());
    };
  }
}
