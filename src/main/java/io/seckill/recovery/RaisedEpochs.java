package io.seckill.recovery;

import io.seckill.book.RecentAdmissions;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.Variable;

/**
 * Notices sales that any node has rebuilt, so that this node can name its lost reservations.
 * Thread-safe.
 */
public final class RaisedEpochs {
  private static final long FIRST = 1;

  private final SaleRegistry sales;
  private final RecentAdmissions admissions;
  private final Map<Long, Long> seen = new ConcurrentHashMap<>();

  public RaisedEpochs(SaleRegistry sales, RecentAdmissions admissions) {
    this.sales = sales;
    this.admissions = admissions;
  }

  /** Sales whose rebuilt book is new to this node and to which it has admitted buyers. */
  public List<Long> due() {
    List<Long> due = new ArrayList<>();
    for (Sale sale : sales.all()) {
      if (isRaised(sale)) {
        if (admissions.of(sale.productId()).isEmpty()) {
          named(sale.productId(), sale.epoch());
        } else {
          due.add(sale.productId());
        }
      }
    }
    return due;
  }

  private boolean isRaised(Sale sale) {
    return seen.getOrDefault(sale.productId(), FIRST) < sale.epoch()
        && sales.book(sale.productId()).filter(book -> book.epoch() == sale.epoch()).isPresent();
  }

  /** Notes that the reservations that this epoch's rebuild lost are named. */
  public void named(@Variable("productId") long productId, @Variable("epoch") long epoch) {
    seen.merge(productId, epoch, Math::max);
  }
}
