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
 * Strategy B's allotment of MySQL's units to the orders that one attempt has inserted: order by
 * order until a product's units are used up. Rows of an earlier attempt have taken theirs already.
 *
 * @param taken one for each product, in the order of their ids
 * @param soldOut the orders without a unit
 */
public record Allotment(List<Taken> taken, List<SoldOut> soldOut) {
  /** The units to take from a product: the parameters of {@code sql/take-units.sql}. */
  public record Taken(long productId, long units) {}

  /** An order without a unit: the parameter of {@code sql/mark-sold-out.sql}. */
  public record SoldOut(String requestId) {}

  /** The products whose units an attempt needs, ascending. */
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
   * @throws StaleEpochException when a product was rebuilt since the attempt read its epoch, so
   *     that the transaction must run again
   */
  public static Allotment of(
      @Body List<ProductStock> stock,
      @Variable("outcomes") Outcomes outcomes,
      @Variable("batch") OrderBatch batch,
      @Variable("attempt") String attempt) {
    Map<Long, Long> left = new TreeMap<>();
    Map<Long, Long> epochs = new TreeMap<>();
    for (ProductStock product : stock) {
      left.put(product.id(), product.count());
      epochs.put(product.id(), product.epoch());
    }
    Map<Long, Long> units = new TreeMap<>();
    List<SoldOut> soldOut = new ArrayList<>();
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
                soldOut.add(new SoldOut(row.requestId()));
              }
            });
    List<Taken> taken = new ArrayList<>();
    units.forEach((product, sum) -> taken.add(new Taken(product, sum)));
    return new Allotment(taken, soldOut);
  }

  /**
   * Checks that every conditional decrement found its units, because the rows were locked.
   *
   * @throws IncorrectUpdateSemanticsDataAccessException when a decrement did not
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
}
