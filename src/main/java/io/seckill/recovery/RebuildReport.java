package io.seckill.recovery;

import io.seckill.book.Book;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Variable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports a rebuild to the operator. All amounts count units. */
public final class RebuildReport {
  private static final Logger LOG = LoggerFactory.getLogger(RebuildReport.class);

  /** Largest number of lost reservations to name; all are counted. */
  private static final int NAMED = 1_000;

  /** The effect that a rebuild would have; a preview changes nothing. */
  public Map<String, Object> preview(
      @Variable("rebuild") Rebuild rebuild, @Variable("sale") StoredSale stored) {
    OrderSnapshot snapshot = rebuild.snapshot();
    Remainder left = rebuild.remainder(stored);
    Map<String, Object> report = begin(rebuild, true);
    report.put("epoch", Math.max(snapshot.getEpoch(), rebuild.getBookEpoch()) + 1);
    report.put("before", rebuild.before().map(RebuildReport::units).orElse(null));
    report.put("after", after(snapshot.sale(), snapshot.units(), left));
    differences(report, rebuild);
    report.put("oversold", Math.max(0, -left.available()));
    report.put("tookMs", rebuild.tookMillis());
    return report;
  }

  /** The effect of a rebuild. */
  public Map<String, Object> report(
      @Variable("rebuild") Rebuild rebuild,
      @Variable("pending") PendingSearch pending,
      @Variable("lost") LostSearch search) {
    List<String> lost = search.getLost();
    OrderSnapshot snapshot = rebuild.snapshot();
    Map<String, Object> report = begin(rebuild, false);
    report.put("epoch", snapshot.getEpoch());
    report.put("before", rebuild.before().map(RebuildReport::units).orElse(null));
    report.put("after", after(rebuild.terms(), snapshot.units(), rebuild.remainder()));
    differences(report, rebuild);
    report.put("sentAgain", pending.getSentAgain());
    report.put("lost", lost.size());
    report.put("lostRequestIds", List.copyOf(lost.subList(0, Math.min(NAMED, lost.size()))));
    report.put("tookMs", rebuild.tookMillis());
    LOG.info(
        "Sale {}: its book was rebuilt with epoch {}, with {} and {} units left",
        rebuild.productId(),
        rebuild.getEpoch(),
        snapshot.units(),
        rebuild.remainder().available());
    return report;
  }

  private static Map<String, Object> begin(Rebuild rebuild, boolean dryRun) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("productId", rebuild.productId());
    report.put("dryRun", dryRun);
    return report;
  }

  private static void differences(Map<String, Object> report, Rebuild rebuild) {
    Units units = rebuild.snapshot().units();
    report.put("orders", Map.of("success", units.success(), "failed", units.failed()));
    if (rebuild.isBookPresent()) {
      report.put("same", rebuild.comparison().same());
      report.put("discrepancies", rebuild.comparison().differing());
      report.put("differing", rebuild.comparison().named());
    }
  }

  private static Map<String, Object> units(Book book) {
    Map<String, Object> units = new LinkedHashMap<>();
    units.put("initial", book.initial());
    units.put("restocked", book.restocked());
    units.put("available", book.available());
    units.put("pending", book.pending());
    units.put("sold", book.sold());
    units.put("writtenOff", book.writtenOff());
    units.put("released", book.released());
    units.put("state", book.state());
    units.put("epoch", book.epoch());
    units.put("outbox", book.outboxLength());
    units.put("entries", book.buyers());
    return units;
  }

  private static Map<String, Object> after(Sale sale, Units units, Remainder left) {
    Map<String, Object> after = new LinkedHashMap<>();
    after.put("initial", sale.stock());
    after.put("restocked", sale.restocked());
    after.put("available", left.available());
    after.put("pending", 0);
    after.put("sold", units.sold());
    after.put("writtenOff", left.writtenOff());
    after.put("released", units.released());
    after.put("state", sale.state());
    after.put("entries", units.rows());
    return after;
  }
}
