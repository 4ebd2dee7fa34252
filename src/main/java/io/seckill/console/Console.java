package io.seckill.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.seckill.admin.AuditQuestion;
import io.seckill.admin.ShownAudit;
import io.seckill.book.script.NodesReply;
import io.seckill.book.script.NodesReply.Told;
import io.seckill.console.Overview.DeadLetters;
import io.seckill.console.Overview.Flow;
import io.seckill.console.Overview.LedgerView;
import io.seckill.console.Overview.NodeView;
import io.seckill.console.Overview.Notice;
import io.seckill.console.Overview.PerSecond;
import io.seckill.console.Overview.SaleView;
import io.seckill.domain.BookSnapshot;
import io.seckill.http.EventStreams;
import io.seckill.redis.ScriptCall;
import io.seckill.sale.Phase;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.camel.Body;
import org.apache.camel.Variable;

/**
 * What the consoles that are open at this node show: once a second one picture of all nodes, sales
 * and the way of orders, which all of them share. While none is open at any node, this node only
 * tells the others that it is there. Thread-safe.
 */
public final class Console {
  /** A node that has told nothing for longer is lost. */
  static final long LOST_MILLIS = 5_000;

  private static final String NODES = "seckill:nodes";
  private static final int LATEST = 50;
  private static final long RECENT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private final String node;
  private final String mode;
  private final NodeReporter reporter;
  private final SaleRegistry sales;
  private final Clock clock;
  private final Supplier<Books> books;
  private EventStreams streams;

  private final Tally tally = new Tally();
  private Happenings happenings = new Happenings();
  private Map<String, NodeView> nodes = new TreeMap<>();
  private Map<Long, SaleView> shown = Map.of();
  private Map<Long, Long> parked = Map.of();
  private Long parkedInAll;
  private boolean watched;
  private String redisFault;
  private String mySqlFault;
  private NodeReport own;
  private Picture latest;
  private long latestAt;

  /**
   * @param node this node's name
   * @param clock the clock of the books
   * @param books looks at the books now
   */
  Console(
      String node,
      String mode,
      NodeReporter reporter,
      SaleRegistry sales,
      Clock clock,
      Supplier<Books> books) {
    this.node = node;
    this.mode = mode;
    this.reporter = reporter;
    this.sales = sales;
    this.clock = clock;
    this.books = books;
  }

  void show(EventStreams streams) {
    this.streams = streams;
  }

  /**
   * Whether a console is open at this node. When none is, what the last one showed is forgotten.
   */
  public synchronized boolean isOpen() {
    boolean open = streams.open() > 0;
    if (!open && latest != null) {
      latest = null;
      shown = Map.of();
      nodes = new TreeMap<>();
      happenings = new Happenings();
      tally.retain(Set.of());
    }
    return open;
  }

  /** The call of nodes.lua that tells what this node counted. */
  public synchronized ScriptCall call() {
    boolean here = streams.open() > 0;
    look(here || watched);
    String told = own == null ? "" : json(own);
    return new ScriptCall() {
      @Override
      public long productId() {
        return 0;
      }

      @Override
      public String[] keys() {
        return new String[] {NODES};
      }

      @Override
      public String[] arguments() {
        return new String[] {node, told, here ? "1" : "0"};
      }
    };
  }

  private void look(boolean wanted) {
    reporter.count(wanted);
    own = wanted ? reporter.report() : null;
  }

  /** Takes what all nodes told. */
  public synchronized void heard(@Body NodesReply.Nodes reply) {
    redisFault = null;
    watched = reply.watched();
    if (reply.nodes().isEmpty()) {
      return;
    }
    Map<String, NodeView> seen = new TreeMap<>();
    for (Told told : reply.nodes()) {
      boolean lost = reply.now() - told.seenAt() > LOST_MILLIS;
      NodeView before = nodes.get(told.node());
      if (told.told().isEmpty() || lost) {
        tally.silent(told.node());
        seen.put(
            told.node(),
            new NodeView(
                told.node(),
                told.seenAt(),
                !lost && before != null && before.ready(),
                before == null ? List.of() : before.checks(),
                lost));
      } else {
        NodeReport report = report(told.told());
        tally.take(told.node(), told.seenAt(), report);
        seen.put(
            told.node(),
            new NodeView(told.node(), told.seenAt(), report.ready(), report.checks(), false));
      }
      if (before != null && before.lost() != lost) {
        happenings.found(
            lost ? "NODE_LOST" : "NODE_BACK", reply.now(), null, "node " + told.node());
      }
    }
    tally.retain(seen.keySet());
    nodes = seen;
  }

  /** Redis could not be asked: this node goes on alone, and its own figures with it. */
  public synchronized void unheard(Throwable reason) {
    redisFault = sentence(reason);
    if (streams.open() > 0) {
      alone();
    }
  }

  /** Takes this node's own report, where no other can be heard. */
  public synchronized void alone() {
    look(streams.open() > 0);
    if (own != null) {
      long now = clock.millis();
      tally.take(node, now, own);
      nodes.put(node, new NodeView(node, now, own.ready(), own.checks(), false));
    }
  }

  /** Which audit rows to read. */
  public AuditQuestion latest() {
    return new AuditQuestion(null, 1, Long.MAX_VALUE, LATEST);
  }

  /** Takes the latest audit rows, and how many dead letters are parked. */
  public synchronized void recorded(
      @Variable("audited") List<ShownAudit> rows, @Variable("parked") List<ParkedRow> counts) {
    mySqlFault = null;
    happenings.recorded(rows);
    parked =
        counts.stream()
            .filter(row -> row.productId() != null)
            .collect(Collectors.toMap(ParkedRow::productId, ParkedRow::parked));
    parkedInAll = counts.stream().mapToLong(ParkedRow::parked).sum();
  }

  /** MySQL could not be asked. */
  public synchronized void unrecorded(Throwable reason) {
    mySqlFault = sentence(reason);
    parkedInAll = null;
  }

  private static String sentence(Throwable reason) {
    Throwable cause = reason;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage()).strip().replaceAll("\\s+", " ");
  }

  /** Sends the picture of this second to all consoles that are open at this node. */
  public void send() {
    streams.send(compose());
  }

  /** What a console gets that is opened now. */
  synchronized EventStreams.Events now() {
    if (latest != null && System.nanoTime() - latestAt < RECENT_NANOS) {
      return latest;
    }
    if (nodes.isEmpty()) {
      alone();
    }
    Picture made = compose();
    // the next picture tells only what changed since this one
    streams.send(made);
    return made;
  }

  private synchronized Picture compose() {
    long time = clock.millis();
    Books seen = redisFault == null ? books.get() : null;
    Map<Long, PerSecond> rates = tally.sales();
    Map<Long, SaleView> views = new LinkedHashMap<>();
    List<SaleView> changed = new ArrayList<>();
    sales.all().stream()
        .sorted(Comparator.comparingLong(Sale::productId))
        .forEach(
            sale -> {
              SaleView view = view(sale, seen, rates, time);
              SaleView before = shown.get(sale.productId());
              views.put(sale.productId(), view);
              if (!view.equals(before)) {
                changed.add(view);
              }
              if (before != null && before.state().equals("OPEN") && isSoldOut(view)) {
                happenings.found("SOLD_OUT", time, sale.productId(), view.name());
              }
            });
    shown = views;
    Overview next =
        new Overview(
            time,
            mode,
            node,
            false,
            List.copyOf(nodes.values()),
            changed,
            attention(),
            new Flow(
                seen == null ? null : seen.outbox(),
                seen == null ? null : seen.lag(),
                new DeadLetters(parkedInAll),
                tally.latency(),
                tally.relayedPerSecond(),
                tally.endedPerSecond()),
            happenings.fresh());
    latest = new Picture(next, views, happenings.latest());
    latestAt = System.nanoTime();
    return latest;
  }

  private static boolean isSoldOut(SaleView view) {
    return view.state().equals(Phase.SOLD_OUT.name());
  }

  private SaleView view(Sale sale, Books seen, Map<Long, PerSecond> rates, long time) {
    long product = sale.productId();
    LedgerView ledger = seen == null ? null : seen.ledger(sale);
    BookSnapshot book =
        ledger == null ? null : new BookSnapshot(ledger.available(), ledger.pending(), 0, 0);
    Phase phase = Phase.of(sale, book, time);
    List<Notice> notices = new ArrayList<>();
    if (seen != null) {
      notices.addAll(seen.attention(sale));
    }
    if (parked.containsKey(product)) {
      notices.add(
          Attention.DEAD_LETTERS.notice(
              parked.get(product) + " orders could not be written and are parked."));
    }
    return new SaleView(
        product,
        sale.name(),
        phase == Phase.ON_SALE ? "OPEN" : phase.name(),
        sales.isSettled(product),
        sale.startsAt(),
        sale.endsAt(),
        sale.ratePerSecond(),
        sale.activityId(),
        sale.maxQuantity(),
        sale.epoch(),
        ledger,
        rates.getOrDefault(product, PerSecond.NONE),
        notices);
  }

  private List<Notice> attention() {
    List<Notice> notices = new ArrayList<>();
    if (redisFault != null) {
      notices.add(Attention.REDIS_AWAY.notice("Redis cannot be asked: " + redisFault));
    }
    if (mySqlFault != null) {
      notices.add(Attention.MYSQL_AWAY.notice("MySQL cannot be asked: " + mySqlFault));
    }
    for (NodeView each : nodes.values()) {
      if (each.lost()) {
        notices.add(
            Attention.NODE_LOST.notice("Node " + each.node() + " has not been heard of for 5 s."));
        continue;
      }
      each.checks().stream()
          .filter(check -> !check.up())
          .forEach(
              check ->
                  notices.add(
                      Attention.CHECK_DOWN.notice(
                          each.node() + ": " + check.name() + ": " + check.detail())));
    }
    return notices;
  }

  private static NodeReport report(String json) {
    try {
      return JSON.readValue(json, NodeReport.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A node told what is not a report: " + json, e);
    }
  }

  static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Cannot be written as JSON: " + value, e);
    }
  }
}
