package io.seckill.order;

import io.seckill.domain.QueuedOrder;
import io.seckill.domain.Status;
import io.seckill.redis.ScriptCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * MySQL's decisions on the reservations of a batch, and the calls of scripts that make the books
 * follow. For one thread at a time.
 */
public final class Outcomes {
  /** Largest number of reservations in one call of a script. */
  static final int MAX_PER_CALL = 500;

  private final List<OrderRow> rows;
  private final List<QueuedOrder> missing;
  private List<ScriptCall> confirmations;

  /**
   * @param rows the rows that were read back
   * @param missing orders without a row
   */
  public Outcomes(List<OrderRow> rows, List<QueuedOrder> missing) {
    this.rows = rows;
    this.missing = missing;
  }

  /** The rows that were read back. */
  public List<OrderRow> rows() {
    return rows;
  }

  /** Orders without a row. */
  public List<QueuedOrder> missing() {
    return missing;
  }

  /**
   * Calls of {@code confirm} for the reservations that are orders. Each call returns the same list.
   */
  public List<ScriptCall> confirmations() {
    if (confirmations == null) {
      confirmations = confirm();
    }
    return confirmations;
  }

  private List<ScriptCall> confirm() {
    Map<Long, List<OrderRow>> byProduct = new TreeMap<>();
    for (OrderRow row : rows) {
      if (row.status() == Status.SUCCESS) {
        byProduct.computeIfAbsent(row.productId(), product -> new ArrayList<>()).add(row);
      }
    }
    List<ScriptCall> calls = new ArrayList<>();
    byProduct.forEach(
        (product, confirmed) ->
            inChunks(confirmed)
                .forEach(chunk -> calls.add(ScriptCall.of(product, triples(chunk)))));
    return calls;
  }

  /** Calls of {@code release} that return units: those of failed reservations. */
  public List<ScriptCall> releases() {
    return failures(false);
  }

  /** Calls of {@code release} that write units off: MySQL had none for these reservations. */
  public List<ScriptCall> writeOffs() {
    return failures(true);
  }

  /** The rows with status SUCCESS, as parameters of a statement. */
  public List<WrittenOrder> orders() {
    return rows.stream()
        .filter(row -> row.status() == Status.SUCCESS)
        .map(
            row ->
                new WrittenOrder(
                    row.id(), row.requestId(), row.productId(), row.userId(), row.quantity()))
        .toList();
  }

  private List<ScriptCall> failures(boolean soldOut) {
    record Failure(long productId, Status status, String reason) {}
    Map<Failure, List<OrderRow>> alike = new LinkedHashMap<>();
    for (OrderRow row : rows) {
      if (row.status() != Status.SUCCESS && soldOut == (row.status() == Status.FAIL_SOLD_OUT)) {
        String reason = row.reason() == null ? "" : row.reason();
        alike
            .computeIfAbsent(
                new Failure(row.productId(), row.status(), reason), failure -> new ArrayList<>())
            .add(row);
      }
    }
    List<ScriptCall> calls = new ArrayList<>();
    alike.forEach(
        (failure, failed) ->
            inChunks(failed)
                .forEach(
                    chunk ->
                        calls.add(
                            ScriptCall.of(
                                failure.productId(),
                                failed(failure.status(), failure.reason(), chunk)))));
    return calls;
  }

  private static String[] triples(List<OrderRow> rows) {
    String[] arguments = new String[rows.size() * 3];
    int i = 0;
    for (OrderRow row : rows) {
      arguments[i++] = row.requestId();
      arguments[i++] = Long.toString(row.id());
      arguments[i++] = Integer.toString(row.quantity());
    }
    return arguments;
  }

  private static String[] failed(Status status, String reason, List<OrderRow> rows) {
    List<String> arguments = new ArrayList<>(3 * rows.size() + 2);
    arguments.add(status.name());
    arguments.add(reason);
    for (OrderRow row : rows) {
      arguments.add(row.requestId());
      arguments.add(row.clientKey());
      arguments.add(Integer.toString(row.quantity()));
    }
    return arguments.toArray(String[]::new);
  }

  static <T> List<List<T>> inChunks(List<T> all) {
    List<List<T>> chunks = new ArrayList<>();
    for (int from = 0; from < all.size(); from += MAX_PER_CALL) {
      chunks.add(all.subList(from, Math.min(all.size(), from + MAX_PER_CALL)));
    }
    return chunks;
  }
}
