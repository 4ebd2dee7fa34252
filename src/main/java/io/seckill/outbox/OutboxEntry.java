package io.seckill.outbox;

import io.seckill.domain.OrderRecord;
import io.seckill.redis.ScriptCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An entry of a product's outbox, read but not yet acknowledged.
 *
 * @param id its id in the stream, {@code milliseconds-sequence} of Redis's clock
 * @param order the order, ready to send
 */
public record OutboxEntry(long productId, String id, OrderRecord order) {
  /** Ids that one call of {@code acknowledge} takes. */
  private static final int IDS_PER_CALL = 2_000;

  /**
   * The calls of {@code redis-script:acknowledge} that remove these entries from their outboxes.
   *
   * @param group the consumer group that read them
   */
  public static List<ScriptCall> acknowledgements(String group, List<OutboxEntry> entries) {
    Map<Long, List<String>> idsByProduct = new LinkedHashMap<>();
    for (OutboxEntry entry : entries) {
      idsByProduct.computeIfAbsent(entry.productId, id -> new ArrayList<>()).add(entry.id);
    }
    List<ScriptCall> calls = new ArrayList<>();
    idsByProduct.forEach(
        (productId, ids) -> {
          for (int from = 0; from < ids.size(); from += IDS_PER_CALL) {
            List<String> part = ids.subList(from, Math.min(ids.size(), from + IDS_PER_CALL));
            List<String> arguments = new ArrayList<>(part.size() + 1);
            arguments.add(group);
            arguments.addAll(part);
            calls.add(ScriptCall.of(productId, arguments.toArray(String[]::new)));
          }
        });
    return calls;
  }

  /**
   * @param fields names and values alternately, as the script wrote them
   * @throws IllegalArgumentException when they are not the fields of a reservation
   */
  static OutboxEntry of(long productId, String id, List<?> fields) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i + 1 < fields.size(); i += 2) {
      values.put((String) fields.get(i), (String) fields.get(i + 1));
    }
    return new OutboxEntry(
        productId,
        id,
        new OrderRecord(
            OrderRecord.VERSION,
            value(values, "requestId"),
            productId,
            Long.parseLong(value(values, "userId")),
            Integer.parseInt(value(values, "quantity")),
            value(values, "idemKey"),
            Long.parseLong(value(values, "epoch")),
            id,
            Integer.parseInt(value(values, "resent"))));
  }

  private static String value(Map<String, String> values, String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no field " + name);
    }
    return value;
  }
}
