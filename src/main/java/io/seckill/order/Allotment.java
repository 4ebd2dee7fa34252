package io.seckill.order;

import io.seckill.domain.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.camel.Body;
import org.apache.camel.Header;
import org.apache.camel.Variable;
import org.apache.camel.component.sql.SqlConstants;
import org.springframework.dao.IncorrectUpdateSemanticsDataAccessException;

/**
 * Strategy B's hand-out of MySQL's units to the orders that one attempt has inserted: order by
 * order until a product's units end. Rows of an earlier attempt took theirs then.
 *
 * @param taken a map a product, in the order of their ids: productId, units
 * @param soldOut a map an order that finds no unit: requestId
 */
public record Allotment(List<Map<String, Object>> taken, List<Map<String, Object>> soldOut) {

  /** The products whose units an attempt asks for, ascending. */
  public static List<Long> products(@Body Outcomes outcomes, @Variable("attempt") String attempt) {
    return outcomes.rows().stream()
        .filter(insertedBy(attempt))
        .map(OrderRow::productId)
        .distinct()
        .sorted()
        .toList();
  }

  /**
   * @param stock rows of {@code sql/lock-stock.sql}
   * @throws StaleEpochException when a product was rebuilt since the attempt read its epoch; the
   *     transaction is to be run again
   */
  public static Allotment of(
      @Body List<Map<String, Object>> stock,
      @Variable("outcomes") Outcomes outcomes,
      @Variable("batch") OrderBatch batch,
      @Variable("attempt") String attempt) {
    Map<Long, Long> left = new TreeMap<>();
    Map<Long, Long> epochs = new TreeMap<>();
    for (Map<String, Object> product : stock) {
      left.put(number(product, "id"), number(product, "count"));
      epochs.put(number(product, "id"), number(product, "epoch"));
    }
    Map<Long, Long> units = new TreeMap<>();
    List<Map<String, Object>> soldOut = new ArrayList<>();
    outcomes.rows().stream()
        .filter(insertedBy(attempt))
        .forEach(
            row -> {
              if (batch.find(row.requestId()).order().epoch() < epochs.get(row.productId())) {
                throw new StaleEpochException(row.productId());
              }
              long after = left.get(row.productId()) - row.quantity();
              if (after >= 0) {
                left.put(row.productId(), after);
                units.merge(row.productId(), (long) row.quantity(), Long::sum);
              } else {
                soldOut.add(Map.of("requestId", row.requestId()));
              }
            });
    List<Map<String, Object>> taken = new ArrayList<>();
    units.forEach((product, sum) -> taken.add(Map.of("productId", product, "units", sum)));
    return new Allotment(taken, soldOut);
  }

  /**
   * Every conditional decrement must have found its units: the rows were locked.
   *
   * @throws IncorrectUpdateSemanticsDataAccessException when one did not
   */
  public static void verify(
      @Variable("allotment") Allotment allotment,
      @Header(SqlConstants.SQL_UPDATE_COUNT) int updated) {
    if (updated != allotment.taken().size()) {
      throw new IncorrectUpdateSemanticsDataAccessException(
          updated
              + " of "
              + allotment.taken().size()
              + " products had the units they were locked with");
    }
  }

  private static Predicate<OrderRow> insertedBy(String attempt) {
    return row -> row.status() == Status.SUCCESS && row.attempt().equals(attempt);
  }

  private static long number(Map<String, Object> row, String column) {
    return ((Number) row.get(column)).longValue();
  }
}
