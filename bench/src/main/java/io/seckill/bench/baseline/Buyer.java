package io.seckill.bench.baseline;

import io.seckill.domain.RequestId;
import io.vertx.core.http.HttpServerRequest;
import java.util.UUID;

/** The buyer, product and key of a request, checked by hand against the HTTP contract. */
record Buyer(long productId, long userId, String idemKey) {
  private static final int PATH = "/seckill/".length();
  private static final int LONGEST_KEY = 40;

  /** Null after the request was answered with a refusal. */
  static Buyer of(HttpServerRequest request) {
    long userId = positive(request.getHeader("X-User-Id"));
    if (userId < 0) {
      Answers.invalid(request.response(), 401, "UNAUTHENTICATED");
      return null;
    }
    long productId = positive(request.path().substring(PATH));
    String key = request.getHeader("Idempotency-Key");
    if (productId < 0 || key != null && !isKey(key)) {
      Answers.invalid(request.response(), 400, "INVALID_REQUEST");
      return null;
    }
    return new Buyer(productId, userId, key == null ? UUID.randomUUID().toString() : key);
  }

  /** Null after the request was answered with a refusal. */
  static Buyer ofResult(HttpServerRequest request) {
    long userId = positive(request.getHeader("X-User-Id"));
    long productId = positive(request.getParam("productId"));
    String key = request.getParam("idemKey");
    if (userId < 0 || productId < 0 || key == null || !isKey(key)) {
      Answers.invalid(request.response(), 400, "INVALID_REQUEST");
      return null;
    }
    return new Buyer(productId, userId, key);
  }

  String requestId() {
    return RequestId.of(productId, userId, idemKey).toString();
  }

  private static long positive(String text) {
    if (text == null || text.isEmpty() || text.length() > 18) {
      return -1;
    }
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      value = value * 10 + c - '0';
    }
    return value > 0 ? value : -1;
  }

  private static boolean isKey(String key) {
    if (key.isEmpty() || key.length() > LONGEST_KEY) {
      return false;
    }
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      boolean allowed =
          c >= 'A' && c <= 'Z'
              || c >= 'a' && c <= 'z'
              || c >= '0' && c <= '9'
              || "._:-".indexOf(c) >= 0;
      if (!allowed) {
        return false;
      }
    }
    return true;
  }
}
