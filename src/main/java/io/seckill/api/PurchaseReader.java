package io.seckill.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.domain.ClientKey;
import io.seckill.domain.PositiveId;
import io.seckill.domain.Purchase;
import io.seckill.domain.RequestId;
import io.seckill.http.Request;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Reads {@code POST /seckill/{productId}}: the product of the path, the Idempotency-Key and the
 * optional body {@code {"quantity": n}}. It ignores unknown members.
 */
public final class PurchaseReader {
  private static final String KEY = "Idempotency-Key";

  private static final Refusal BAD_PRODUCT =
      Refusals.invalid("The product id must be a positive 64-bit integer.");
  private static final Refusal BAD_KEY =
      Refusals.invalid("Send at most one Idempotency-Key, of " + ClientKey.RULE + ".");
  private static final Refusal BAD_BODY =
      Refusals.invalid("The body must be one JSON object, such as {\"quantity\": 1}.");
  private static final Refusal BAD_QUANTITY =
      Refusals.invalid("quantity must be an integer of at least 1.");
  private static final Refusal NOT_JSON = Refusals.ofServer(415);

  private final JsonFactory json =
      new JsonFactoryBuilder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /**
   * The purchase this user asks for.
   *
   * @throws Refusal 400 INVALID_REQUEST, or 415 for a body that is not JSON
   */
  public Purchase read(Request request, long userId) {
    long productId = productId(request);
    String key = key(request);
    int quantity = quantity(request);
    return new Purchase(
        productId, userId, key, quantity, RequestId.of(productId, userId, key).toString());
  }

  /**
   * The path's {@code productId}.
   *
   * @throws Refusal 400 INVALID_REQUEST
   */
  public static long productId(Request request) {
    long productId = PositiveId.parse(request.pathParameter("productId"));
    if (productId == PositiveId.INVALID) {
      throw BAD_PRODUCT;
    }
    return productId;
  }

  private static String key(Request request) {
    List<String> keys = request.headers(KEY);
    if (keys.isEmpty()) {
      return ClientKey.random();
    }
    if (keys.size() > 1) {
      throw BAD_KEY;
    }
    return ClientKey.parse(keys.get(0)).orElseThrow(() -> BAD_KEY);
  }

  private int quantity(Request request) {
    Buffer body = request.body();
    if (body.length() == 0) {
      return 1;
    }
    String mediaType = request.header("Content-Type");
    if (mediaType != null && !isJson(mediaType)) {
      throw NOT_JSON;
    }
    try (JsonParser parser = json.createParser(body.getBytes())) {
      return quantity(parser);
    } catch (JsonParseException e) {
      throw mediaType == null ? NOT_JSON : BAD_BODY;
    } catch (IOException e) {
      throw BAD_BODY;
    }
  }

  private static int quantity(JsonParser parser) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw BAD_BODY;
    }
    int quantity = 1;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken value = parser.nextToken();
      if (!name.equals("quantity")) {
        parser.skipChildren();
      } else if (value != JsonToken.VALUE_NUMBER_INT
          || parser.getNumberType() != JsonParser.NumberType.INT
          || parser.getIntValue() < 1) {
        throw BAD_QUANTITY;
      } else {
        quantity = parser.getIntValue();
      }
    }
    if (parser.nextToken() != null) {
      throw BAD_BODY;
    }
    return quantity;
  }

  private static boolean isJson(String contentType) {
    int end = contentType.indexOf(';');
    String mediaType =
        (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    return mediaType.equals("application/json")
        || mediaType.startsWith("application/") && mediaType.endsWith("+json");
  }
}
