package io.seckill.recovery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.seckill.answer.Refusal;
import io.seckill.book.Book;
import io.seckill.book.RecentAdmissions;
import io.seckill.redis.ScriptCall;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRow;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.camel.Body;
import org.apache.camel.Variable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the routes of a rebuild must decide between their statements and scripts. */
public final class Rebuilds {
  private static final Logger LOG = LoggerFactory.getLogger(Rebuilds.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String DRY_RUN = "dryRun";

  private final DataSource dataSource;
  private final RecentAdmissions admissions;
  private final Counter lost;

  public Rebuilds(DataSource dataSource, RecentAdmissions admissions, MeterRegistry meters) {
    this.dataSource = dataSource;
    this.admissions = admissions;
    this.lost =
        Counter.builder("seckill.reservations.lost")
            .description("Reservations of this node that Redis lost before Kafka knew them")
            .register(meters);
  }

  /**
   * Whether only the difference is asked for: by {@code ?dryRun=true} or by the body {@code
   * {"dryRun": true}}.
   *
   * @throws Refusal 400 INVALID_REQUEST
   */
  public boolean isDryRun(@Variable("dryRunParameter") String parameter, @Body byte[] body) {
    boolean asked = false;
    if (parameter != null && !parameter.isEmpty()) {
      if (!parameter.equals("true") && !parameter.equals("false")) {
        throw invalid("dryRun must be true or false.");
      }
      asked = parameter.equals("true");
    }
    return asked | (body != null && body.length > 0 && isDryRun(body));
  }

  private static boolean isDryRun(byte[] body) {
    JsonNode json;
    try {
      json = JSON.readTree(body);
    } catch (IOException e) {
      throw invalid("The body is not JSON.");
    }
    if (json.isMissingNode()) {
      return false;
    }
    if (!json.isObject() || json.size() > (json.has(DRY_RUN) ? 1 : 0)) {
      throw invalid("The body may hold {\"dryRun\": true} and nothing else.");
    }
    JsonNode dryRun = json.get(DRY_RUN);
    if (dryRun != null && !dryRun.isBoolean()) {
      throw invalid("dryRun must be true or false.");
    }
    return dryRun != null && dryRun.booleanValue();
  }

  private static Refusal invalid(String detail) {
    return Refusal.of(400, "INVALID_REQUEST", detail);
  }

  /**
   * Makes sure the sale is one that can be rebuilt.
   *
   * @param row the sale, null where there is none; settled tells whether its settlement is written
   * @throws Refusal 404 UNKNOWN_PRODUCT, 409 SETTLED
   */
  public void requireSale(
      @Variable("productId") long productId, @Variable("sale") Map<String, Object> row) {
    if (row == null) {
      throw Refusal.of(404, "UNKNOWN_PRODUCT", "There is no sale of this product.")
          .with("productId", productId);
    }
    if (SaleRow.of(row).settled()) {
      throw Refusal.of(409, "SETTLED", "The sale is settled: it needs no book any more.")
          .with("productId", productId);
    }
  }

  /** Begins a rebuild or a preview. */
  public Rebuild begin(@Variable("productId") long productId) {
    return new Rebuild(productId);
  }

  /**
   * Takes the sale's lock.
   *
   * @throws Refusal 409 REBUILDING when another rebuild has it
   */
  public RebuildLock lock(@Variable("productId") long productId) throws SQLException {
    return RebuildLock.take(dataSource, productId);
  }

  public void unlock(@Variable("lock") RebuildLock lock) throws SQLException {
    lock.close();
  }

  /** A call of a script without arguments. */
  public ScriptCall call(@Variable("productId") long productId) {
    return ScriptCall.of(productId);
  }

  /** Takes the book as it is before the rebuild. */
  public void found(@Variable("rebuild") Rebuild rebuild, @Body List<Object> ledger) {
    rebuild.before(Book.of(ledger));
  }

  // ---- what is pending and was lost on its way

  public PendingSearch searchPending(
      @Variable("productId") long productId, @Variable("drain") Drain drain) {
    return new PendingSearch(productId, drain.getClosed());
  }

  public ScriptCall nextPending(@Variable("pending") PendingSearch search) {
    return search.next();
  }

  /** The request ids in a reply of {@code overdue.lua}. */
  public List<String> pendingIds(@Body List<Object> reply) {
    return reply.subList(1, reply.size()).stream()
        .map(entry -> (String) ((List<?>) entry).get(0))
        .toList();
  }

  public List<ScriptCall> resends(
      @Variable("pending") PendingSearch search,
      @Variable("requestIds") List<String> page,
      @Body List<Map<String, Object>> known) {
    return search.resends(page, ids(known));
  }

  // ---- the orders of MySQL and how the book differs from them

  /** Takes the sale, and where the snapshot of its orders ends. */
  public OrderSnapshot snapshot(
      @Variable("rebuild") Rebuild rebuild,
      @Variable("sale") Map<String, Object> row,
      @Body Number lastOrderId) {
    OrderSnapshot snapshot = new OrderSnapshot(SaleRow.of(row).sale(), lastOrderId.longValue());
    rebuild.snapshot(snapshot);
    return snapshot;
  }

  public void take(
      @Variable("snapshot") OrderSnapshot snapshot, @Body List<Map<String, Object>> rows) {
    snapshot.take(rows);
  }

  public List<ScriptCall> compares(@Variable("snapshot") OrderSnapshot snapshot) {
    return snapshot.compares();
  }

  public void compared(@Variable("rebuild") Rebuild rebuild, @Body List<List<Object>> replies) {
    replies.forEach(rebuild.comparison()::take);
  }

  public UnknownSearch searchUnknown(@Variable("rebuild") Rebuild rebuild) {
    return new UnknownSearch(
        rebuild.productId(), rebuild.before().map(Book::buyers).orElse(0L), rebuild.comparison());
  }

  public ScriptCall nextUnknown(@Variable("unknown") UnknownSearch search) {
    return search.next();
  }

  public Set<String> unknownIds(
      @Variable("unknown") UnknownSearch search, @Body List<Object> reply) {
    search.take(reply);
    return search.getRequestIds();
  }

  public void unknown(
      @Variable("unknown") UnknownSearch search, @Body List<Map<String, Object>> known) {
    search.known(ids(known));
  }

  // ---- the new book

  public List<ScriptCall> beginStaging(@Variable("snapshot") OrderSnapshot snapshot) {
    return List.of(snapshot.beginStaging());
  }

  public List<ScriptCall> stages(@Variable("snapshot") OrderSnapshot snapshot) {
    return snapshot.stages();
  }

  /**
   * Makes sure that what was staged is this rebuild's.
   *
   * @param replies of {@code rebuild-stage.lua}
   * @throws Refusal 409 REBUILDING
   */
  public void requireStaged(
      @Variable("productId") long productId, @Body List<List<Object>> replies) {
    for (List<Object> reply : replies) {
      if ((Long) reply.get(0) != 1) {
        throw overtaken(productId);
      }
    }
  }

  /**
   * The call of {@code rebuild-swap}, within the transaction that holds the sale's row.
   *
   * @throws Refusal 409 REBUILDING when another rebuild has raised the epoch, 503 DEGRADED when the
   *     lock was lost
   */
  public ScriptCall swap(
      @Variable("snapshot") OrderSnapshot snapshot,
      @Variable("sale") Map<String, Object> row,
      @Variable("lock") RebuildLock lock) {
    Sale sale = SaleRow.of(row).sale();
    if (sale.epoch() != snapshot.getEpoch()) {
      throw overtaken(sale.productId());
    }
    lock.requireHeld();
    return snapshot.swap(sale);
  }

  /**
   * Judges the reply of {@code rebuild-swap.lua}.
   *
   * @throws Refusal 409 OVERSOLD when more was sold than there is, 409 REBUILDING when another
   *     rebuild has overtaken this one
   */
  public void requireOpen(
      @Variable("rebuild") Rebuild rebuild,
      @Variable("sale") Map<String, Object> row,
      @Body List<Object> reply) {
    switch (((Long) reply.get(0)).intValue()) {
      case 1 -> rebuild.opened(SaleRow.of(row).sale(), (Long) reply.get(1));
      case 3 -> throw oversold(rebuild);
      default -> throw overtaken(rebuild.productId());
    }
  }

  private static Refusal oversold(Rebuild rebuild) {
    Units units = rebuild.snapshot().units();
    LOG.error(
        "Sale {}: MySQL holds orders of {} units, {} written off, more than the sale has: it stays"
            + " closed",
        rebuild.productId(),
        units.sold(),
        units.writtenOff());
    return Refusal.of(
            409,
            "OVERSOLD",
            "More was sold than the sale has (I3), so it stays closed. Restock it, then rebuild"
                + " again.")
        .with("productId", rebuild.productId())
        .with("sold", units.sold())
        .with("writtenOff", units.writtenOff());
  }

  private static Refusal overtaken(long productId) {
    return Refusal.of(409, "REBUILDING", "Another rebuild of this sale has overtaken this one.")
        .with("productId", productId)
        .retryAfter(1);
  }

  // ---- what this node admitted and nobody knows

  public LostSearch searchLost(@Variable("productId") long productId) {
    return new LostSearch(admissions.of(productId));
  }

  public List<ScriptCall> nextAdmitted(@Variable("lost") LostSearch search) {
    return search.next();
  }

  /**
   * The reservations of a page that the book does not hold.
   *
   * @throws IllegalStateException when the book is shut again
   */
  public List<String> notInBook(
      @Variable("productId") long productId,
      @Variable("lost") LostSearch search,
      @Body List<List<Object>> replies) {
    if (!search.takeFromBook(replies)) {
      throw new IllegalStateException("Sale " + productId + " has no open book to look into");
    }
    return search.getNotInBook();
  }

  public void lost(@Variable("lost") LostSearch search, @Body List<Map<String, Object>> known) {
    search.takeKnown(ids(known));
  }

  /** Names them. */
  public void tellLost(@Variable("productId") long productId, @Variable("lost") LostSearch search) {
    List<String> lost = search.getLost();
    if (!lost.isEmpty()) {
      this.lost.increment(lost.size());
      LOG.warn(
          "Sale {}: this node admitted {} reservations that neither Kafka nor MySQL knows: {}",
          productId,
          lost.size(),
          lost);
    }
  }

  // ---- the answer

  /** What an operator is told of a preview. */
  public Map<String, Object> preview(@Variable("rebuild") Rebuild rebuild) {
    return RebuildReport.ofPreview(rebuild);
  }

  /** What an operator is told of a rebuild. */
  public Map<String, Object> report(
      @Variable("rebuild") Rebuild rebuild,
      @Variable("pending") PendingSearch pending,
      @Variable("lost") LostSearch lost) {
    Map<String, Object> report = RebuildReport.of(rebuild, pending.getSentAgain(), lost.getLost());
    LOG.info(
        "Sale {}: its book was made anew, of epoch {}, with {} and {} units left",
        rebuild.productId(),
        rebuild.getEpoch(),
        rebuild.snapshot().units(),
        rebuild.available());
    return report;
  }

  /** No rows. */
  public List<Map<String, Object>> none() {
    return List.of();
  }

  private static Set<String> ids(List<Map<String, Object>> rows) {
    Set<String> ids = new HashSet<>();
    rows.forEach(row -> ids.add((String) row.get("request_id")));
    return ids;
  }
}
