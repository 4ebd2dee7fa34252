package io.seckill.domain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;

/** Orders as the values of Kafka records: one JSON object each. Thread-safe. */
public final class OrderJson {
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_.:-]{1,40}");
  private static final Pattern OUTBOX_ID = Pattern.compile("[0-9]{1,20}-[0-9]{1,20}");

  private final ObjectReader reader;
  private final ObjectWriter writer;

  public OrderJson() {
    JsonMapper mapper =
        JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .build();
    reader = mapper.readerFor(OrderRecord.class);
    writer = mapper.writerFor(OrderRecord.class);
  }

  public byte[] write(OrderRecord order) {
    try {
      return writer.writeValueAsBytes(order);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads an order and checks it. Its request id must be the one that product, user and key give.
   *
   * @throws UnreadableOrderException when the bytes are not an order of this version
   */
  public OrderRecord read(byte[] json) throws UnreadableOrderException {
    OrderRecord order;
    try {
      order = reader.readValue(json);
    } catch (JsonProcessingException e) {
      throw new UnreadableOrderException("not the JSON of an order: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new UnreadableOrderException("not the JSON of an order: " + e.getMessage());
    }
    if (order == null) {
      throw new UnreadableOrderException("not the JSON of an order: no value");
    }
    check(order.v() == OrderRecord.VERSION, "version is not " + OrderRecord.VERSION);
    check(order.productId() > 0 && order.userId() > 0, "an id is not positive");
    check(order.quantity() > 0, "quantity is not positive");
    check(order.epoch() >= 0, "epoch is negative");
    check(
        order.idemKey() != null && KEY.matcher(order.idemKey()).matches(), "the key is malformed");
    check(
        order.outboxId() != null && OUTBOX_ID.matcher(order.outboxId()).matches(),
        "the outbox id is malformed");
    check(
        RequestId.of(order.productId(), order.userId(), order.idemKey())
            .toString()
            .equals(order.requestId()),
        "requestId is not that of product, user and key");
    return order;
  }

  private static void check(boolean holds, String otherwise) throws UnreadableOrderException {
    if (!holds) {
      throw new UnreadableOrderException(otherwise);
    }
  }
}
