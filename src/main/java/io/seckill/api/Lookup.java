package io.seckill.api;

import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.domain.ClientKey;
import io.seckill.domain.PositiveId;
import io.seckill.domain.Purchase;
import io.seckill.domain.RequestId;
import io.seckill.http.Request;
import io.seckill.redis.ScriptCall;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRegistry;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A buyer's question for the result of a request: by requestId, by key and product, or by key
 * alone.
 *
 * @param requestId null when asked by key alone, because it differs by product
 * @param idemKey null when asked by requestId
 * @param productId null when asked by key alone
 */
public record Lookup(long userId, String requestId, String idemKey, Long productId) {

  /** Questions in one stream. */
  static final int MAX_AT_ONCE = 20;

  /**
   * Reads {@code GET /seckill/result}.
   *
   * @throws Refusal 400 INVALID_REQUEST; 404 UNKNOWN_REQUEST for a requestId of another user
   */
  public static Lookup read(Request request, long userId) {
    Map<String, List<String>> query = request.query();
    String requestId = single(query, "requestId");
    String idemKey = single(query, "idemKey");
    String product = single(query, "productId");
    if ((requestId == null) == (idemKey == null)) {
      throw Refusals.invalid("Ask by idemKey or by requestId.");
    }
    Long productId = product == null ? null : product(product);
    if (idemKey != null) {
      return ofKey(userId, idemKey, productId);
    }
    Lookup lookup = ofRequest(userId, requestId);
    if (productId != null && !productId.equals(lookup.productId())) {
      throw ResultAnswers.unknown();
    }
    return lookup;
  }

  /**
   * Reads {@code GET /seckill/results}: several questions of one product each, by {@code requestId}
   * or by {@code productId} with {@code idemKey}; one key stands for all products.
   *
   * @throws Refusal 400 INVALID_REQUEST; 404 UNKNOWN_REQUEST for a requestId of another user
   */
  static List<Lookup> readAll(Request request, long userId) {
    Map<String, List<String>> query = request.query();
    List<String> requestIds = query.getOrDefault("requestId", List.of());
    List<String> products = query.getOrDefault("productId", List.of());
    List<String> keys = query.getOrDefault("idemKey", List.of());
    int asked = requestIds.size() + products.size();
    if (requestIds.isEmpty() == products.isEmpty()
        || (requestIds.isEmpty() ? keys.size() != 1 && keys.size() != asked : !keys.isEmpty())) {
      throw Refusals.invalid(
          "Ask by requestId, or by productId with one idemKey for all or one for each.");
    }
    List<Lookup> lookups =
        IntStream.range(0, asked)
            .mapToObj(
                i ->
                    requestIds.isEmpty()
                        ? ofKey(userId, keys.get(i % keys.size()), product(products.get(i)))
                        : ofRequest(userId, requestIds.get(i)))
            .distinct()
            .toList();
    if (lookups.size() > MAX_AT_ONCE) {
      throw Refusals.invalid("Ask for " + MAX_AT_ONCE + " requests at most.");
    }
    return lookups;
  }

  private static Long product(String text) {
    long productId = PositiveId.parse(text);
    if (productId == PositiveId.INVALID) {
      throw Refusals.invalid("productId must be a positive 64-bit integer.");
    }
    return productId;
  }

  private static Lookup ofKey(long userId, String idemKey, Long productId) {
    String key =
        ClientKey.parse(idemKey)
            .orElseThrow(() -> Refusals.invalid("idemKey must be " + ClientKey.RULE + "."));
    String id = productId == null ? null : RequestId.of(productId, userId, key).toString();
    return new Lookup(userId, id, key, productId);
  }

  private static Lookup ofRequest(long userId, String requestId) {
    RequestId id =
        RequestId.parse(requestId)
            .orElseThrow(
                () -> Refusals.invalid("requestId does not have the form that this server gives."));
    if (id.userId() != userId) {
      throw ResultAnswers.unknown();
    }
    return new Lookup(userId, requestId, null, id.productId());
  }

  /** The question for what became of a purchase. */
  static Lookup of(Purchase purchase) {
    return new Lookup(
        purchase.userId(),
        purchase.requestId(),
        purchase.idemKey(),
        Long.valueOf(purchase.productId()));
  }

  /** Whether the question is for one product, so that requestId is known. */
  public boolean isOfOneProduct() {
    return productId != null;
  }

  /** The products whose books to ask: the named one, else all live sales. */
  public List<Long> products(SaleRegistry sales) {
    return isOfOneProduct()
        ? List.of(productId)
        : sales.live().stream().map(Sale::productId).toList();
  }

  /** The call of lookup.lua for one product. */
  public ScriptCall call(long product) {
    return idemKey == null
        ? ScriptCall.of(product, Long.toString(userId), "", requestId)
        : ScriptCall.of(product, Long.toString(userId), idemKey, "");
  }

  private static String single(Map<String, List<String>> query, String name) {
    List<String> values = query.get(name);
    if (values == null) {
      return null;
    }
    if (values.size() > 1) {
      throw Refusals.invalid(name + " is given more than once.");
    }
    return values.get(0);
  }
}
