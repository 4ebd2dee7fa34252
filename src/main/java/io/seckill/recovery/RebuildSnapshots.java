package io.seckill.recovery;

import io.seckill.book.script.LedgerReply;
import io.seckill.sale.StoredSale;
import java.util.List;
import org.apache.camel.Body;
import org.apache.camel.Variable;

/** Takes the book and MySQL's orders at the moment on which a rebuild is based. */
public final class RebuildSnapshots {

  /** Takes the book before the rebuild. */
  public void found(@Variable("rebuild") Rebuild rebuild, @Body LedgerReply ledger) {
    rebuild.before(ledger.asBook());
  }

  /** Takes the sale and the end of the snapshot of its orders. */
  public OrderSnapshot snapshot(
      @Variable("rebuild") Rebuild rebuild,
      @Variable("sale") StoredSale stored,
      @Body Number lastOrderId) {
    OrderSnapshot snapshot = new OrderSnapshot(stored.sale(), lastOrderId.longValue());
    rebuild.snapshot(snapshot);
    return snapshot;
  }

  /** Lets the snapshot go on to the orders and tombstones that were written since. */
  public void extend(@Variable("snapshot") OrderSnapshot snapshot, @Body Number lastOrderId) {
    snapshot.extendTo(lastOrderId.longValue());
  }

  /** Takes the next rows of {@code sql/rebuild-orders.sql}. */
  public void take(@Variable("snapshot") OrderSnapshot snapshot, @Body List<SnapshotRow> rows) {
    snapshot.take(rows);
  }
}
