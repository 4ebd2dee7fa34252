package io.seckill.bench.baseline;

import io.vertx.core.http.HttpServerResponse;
import java.util.List;

/** Writes the answers of the HTTP contract by hand, from the replies of the scripts. */
final class Answers {
  private Answers() {}

  /** Answers a purchase by the reply of reserve.lua. */
  static void reserved(
      HttpServerResponse response, long productId, String idemKey, List<Object> reply) {
    int code = ((Long) reply.get(0)).intValue();
    switch (code) {
      case 1 -> pending(response, productId, idemKey, reply.get(1));
      case 3 -> {
        if ("PENDING".equals(reply.get(2))) {
          pending(response, productId, idemKey, reply.get(1));
        } else {
          ended(response, productId, idemKey, reply);
        }
      }
      case 0 -> soldOut(response, idemKey, reply.get(1));
      case 2 -> refuse(response, 409, "FAIL_DUPLICATE", idemKey, "requestId", reply.get(1));
      case 4 -> refuse(response, 422, "KEY_REUSED", idemKey, null, null);
      case 5 -> refuse(response, 409, "FAIL_NOT_STARTED", idemKey, "startsAt", reply.get(1));
      case 6 -> refuse(response, 409, "FAIL_ENDED", idemKey, null, null);
      case 7 -> refuse(response, 409, "FAIL_PAUSED", idemKey, null, null);
      case 8 -> refuse(response, 409, "FAIL_LIMIT", idemKey, null, null);
      case 9 -> refuse(response, 503, "DEGRADED", idemKey, null, null);
      case -1 -> refuse(response, 404, "UNKNOWN_PRODUCT", idemKey, null, null);
      default -> throw new IllegalStateException("reply " + reply);
    }
  }

  static void soldOut(HttpServerResponse response, String idemKey, Object available) {
    refuse(response, 409, "FAIL_SOLD_OUT", idemKey, "available", available);
  }

  /** Answers a question for a result by the reply of lookup.lua. */
  static void found(HttpServerResponse response, long productId, List<Object> reply) {
    if ((Long) reply.get(0) == 3) {
      ended(response, productId, (String) reply.get(5), reply);
    } else {
      refuse(response, 404, "UNKNOWN_REQUEST", null, null, null);
    }
  }

  /** Answers a purchase whose order is already in MySQL. */
  static void ordered(
      HttpServerResponse response, long productId, String idemKey, String requestId, long orderId) {
    ended(response, productId, idemKey, List.of(3L, requestId, "SUCCESS", orderId, ""));
  }

  static void invalid(HttpServerResponse response, int status, String code) {
    refuse(response, status, code, null, null, null);
  }

  static void degraded(HttpServerResponse response, String idemKey) {
    response.putHeader("Retry-After", "1");
    refuse(response, 503, "DEGRADED", idemKey, null, null);
  }

  private static void pending(
      HttpServerResponse response, long productId, String idemKey, Object requestId) {
    response
        .setStatusCode(202)
        .putHeader("Content-Type", "application/json")
        .putHeader("Retry-After", "1")
        .putHeader("Location", "/seckill/result?idemKey=" + idemKey + "&productId=" + productId)
        .end(
            "{\"requestId\":\""
                + requestId
                + "\",\"idemKey\":\""
                + idemKey
                + "\",\"productId\":"
                + productId
                + ",\"status\":\"PENDING\"}");
  }

  private static void ended(
      HttpServerResponse response, long productId, String idemKey, List<Object> reply) {
    StringBuilder json = new StringBuilder(192);
    json.append("{\"requestId\":\"").append(reply.get(1));
    json.append("\",\"idemKey\":\"").append(idemKey);
    json.append("\",\"productId\":").append(productId);
    json.append(",\"status\":\"").append(reply.get(2)).append('"');
    if (!String.valueOf(reply.get(3)).isEmpty()) {
      json.append(",\"orderId\":").append(reply.get(3));
    }
    if (!String.valueOf(reply.get(4)).isEmpty()) {
      json.append(",\"reason\":\"").append(reply.get(4)).append('"');
    }
    response.putHeader("Content-Type", "application/json").end(json.append('}').toString());
  }

  private static void refuse(
      HttpServerResponse response,
      int status,
      String code,
      String idemKey,
      String extraName,
      Object extra) {
    StringBuilder json = new StringBuilder(192);
    json.append("{\"type\":\"/problems/").append(code).append("\",\"title\":\"").append(code);
    json.append("\",\"status\":").append(status);
    json.append(",\"code\":\"").append(code).append('"');
    if (idemKey != null) {
      json.append(",\"idemKey\":\"").append(idemKey).append('"');
    }
    if (extraName != null) {
      json.append(",\"").append(extraName).append("\":\"").append(extra).append('"');
    }
    response
        .setStatusCode(status)
        .putHeader("Content-Type", "application/problem+json")
        .end(json.append('}').toString());
  }
}
