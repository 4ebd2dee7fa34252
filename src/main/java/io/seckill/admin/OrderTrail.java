package io.seckill.admin;

import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.book.Book;
import io.seckill.book.script.BuyerReply;
import io.seckill.book.script.BuyerReply.Entry;
import io.seckill.domain.PositiveId;
import io.seckill.domain.RequestId;
import io.seckill.domain.Status;
import io.seckill.redis.ScriptCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.camel.Variable;

/**
 * Traces the way of an order from what is stored: its row and its dead letters in MySQL, and its
 * entry in the book. A step whose time is not stored has the time null.
 */
public final class OrderTrail {
  private static final int KEYS_ASKED = 100;

  private record Buyer(long productId, long userId) {}

  /** A step of an order's way; at is epoch milliseconds, or null. */
  private record Step(String step, Long at, Map<String, Object> detail) {}

  /**
   * Reads the query: requestId, or orderId, or userId and productId.
   *
   * @throws Refusal 400 INVALID_REQUEST for any other
   */
  public OrderQuestion question(@Variable("query") Map<String, Object> query) {
    Set<String> given = new TreeSet<>(query.keySet());
    if (given.equals(Set.of("requestId"))
        && query.get("requestId") instanceof String text
        && RequestId.parse(text).isPresent()) {
      return new OrderQuestion(text, null, null, null);
    }
    if (given.equals(Set.of("orderId"))) {
      return new OrderQuestion(null, id(query, "orderId"), null, null);
    }
    if (given.equals(Set.of("productId", "userId"))) {
      return new OrderQuestion(null, null, id(query, "productId"), id(query, "userId"));
    }
    throw Refusals.invalid("Ask by requestId, by orderId, or by userId and productId.");
  }

  private static long id(Map<String, Object> query, String name) {
    long id = query.get(name) instanceof String text ? PositiveId.parse(text) : PositiveId.INVALID;
    if (id == PositiveId.INVALID) {
      throw Refusals.invalid("The " + name + " must be a positive 64-bit integer.");
    }
    return id;
  }

  /** The calls of buyer.lua, one for each buyer that rows and question name. */
  public List<ScriptCall> calls(
      @Variable("question") OrderQuestion question, @Variable("rows") List<TracedOrder> rows) {
    Map<Buyer, List<String>> keys = new LinkedHashMap<>();
    buyer(question).ifPresent(buyer -> keys.put(buyer, new ArrayList<>()));
    rows.forEach(
        row ->
            keys.computeIfAbsent(new Buyer(row.productId(), row.userId()), any -> new ArrayList<>())
                .add(row.clientKey()));
    return keys.entrySet().stream().map(each -> call(each.getKey(), each.getValue())).toList();
  }

  private static Optional<Buyer> buyer(OrderQuestion question) {
    return question.productId() != null
        ? Optional.of(new Buyer(question.productId(), question.userId()))
        : RequestId.parse(question.requestId()).map(id -> new Buyer(id.productId(), id.userId()));
  }

  private static ScriptCall call(Buyer buyer, List<String> keys) {
    List<String> arguments = new ArrayList<>();
    arguments.add(Long.toString(buyer.userId()));
    keys.stream().limit(KEYS_ASKED).forEach(arguments::add);
    return ScriptCall.of(buyer.productId(), arguments.toArray(String[]::new));
  }

  /** What stands for the books' replies where there are no books. */
  public List<BuyerReply> none() {
    return List.of();
  }

  /** The reservations whose dead letters to read; never empty. */
  public List<String> requestIds(
      @Variable("question") OrderQuestion question,
      @Variable("rows") List<TracedOrder> rows,
      @Variable("entries") List<BuyerReply> replies) {
    Set<String> ids = new TreeSet<>(entries(question, replies).keySet());
    rows.forEach(row -> ids.add(row.requestId()));
    ids.add(question.requestId() == null ? "" : question.requestId());
    return List.copyOf(ids);
  }

  /** The dead letters whose audit rows to read; never empty. */
  public List<Long> deadLetterIds(@Variable("letters") List<ShownDeadLetter> letters) {
    return letters.isEmpty() ? List.of(0L) : letters.stream().map(ShownDeadLetter::id).toList();
  }

  /** The books' entries that the question means, by request id. */
  private static Map<String, Entry> entries(OrderQuestion question, List<BuyerReply> replies) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    for (BuyerReply reply : replies == null ? List.<BuyerReply>of() : replies) {
      if (reply instanceof BuyerReply.Entries found) {
        found.entries().stream()
            .filter(
                entry ->
                    question.requestId() == null || question.requestId().equals(entry.requestId()))
            .forEach(entry -> entries.put(entry.requestId(), entry));
      }
    }
    return entries;
  }

  /**
   * The answer.
   *
   * @param replies null when the books could not be asked
   * @throws Refusal 404 UNKNOWN_REQUEST; 503 DEGRADED when only a book could know
   */
  public Map<String, Object> view(
      @Variable("question") OrderQuestion question,
      @Variable("rows") List<TracedOrder> rows,
      @Variable("entries") List<BuyerReply> replies,
      @Variable("letters") List<ShownDeadLetter> letters,
      @Variable("audited") List<ShownAudit> audit) {
    Map<String, Entry> entries = entries(question, replies);
    Map<String, TracedOrder> orders = new TreeMap<>();
    rows.forEach(row -> orders.put(row.requestId(), row));
    if (question.orderId() != null) {
      entries.keySet().retainAll(orders.keySet());
    }
    Map<String, List<ShownDeadLetter>> dead =
        letters.stream().collect(Collectors.groupingBy(ShownDeadLetter::requestId));
    Set<String> ids = new TreeSet<>(orders.keySet());
    ids.addAll(entries.keySet());
    ids.addAll(dead.keySet());
    if (ids.isEmpty()) {
      throw replies == null
          ? Refusals.degraded()
          : Refusal.of(404, "UNKNOWN_REQUEST", "There is no such order.");
    }
    return Map.of(
        "orders",
        ids.stream()
            .map(
                id ->
                    order(
                        id,
                        orders.get(id),
                        entries.get(id),
                        dead.getOrDefault(id, List.of()),
                        audit))
            .toList());
  }

  private static Map<String, Object> order(
      String requestId,
      TracedOrder row,
      Entry entry,
      List<ShownDeadLetter> letters,
      List<ShownAudit> audit) {
    RequestId parts =
        RequestId.parse(requestId)
            .orElseThrow(() -> new IllegalStateException("Not a request id: " + requestId));
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("requestId", requestId);
    view.put("productId", parts.productId());
    view.put("userId", parts.userId());
    view.put("idemKey", row != null ? row.clientKey() : entry == null ? null : entry.key());
    view.put(
        "quantity",
        row != null ? (Object) row.quantity() : entry == null ? null : entry.quantity());
    view.put("status", row != null ? row.status() : entry == null ? null : entry.status());
    view.put("orderId", row != null && row.status() == Status.SUCCESS ? row.id() : null);
    view.put("steps", steps(row, entry, letters, audit));
    return view;
  }

  private static List<Step> steps(
      TracedOrder row, Entry entry, List<ShownDeadLetter> letters, Collection<ShownAudit> audit) {
    List<Step> steps = new ArrayList<>();
    String outboxId = entry != null ? entry.outboxId() : row != null ? row.outboxId() : null;
    boolean known = outboxId != null && !outboxId.isEmpty();
    steps.add(
        new Step(
            "RESERVED",
            known ? Book.millisOf(outboxId) : null,
            detail("outboxId", known ? outboxId : null)));
    if (entry == null || !entry.waiting()) {
      // Kafka's position is stored for a record that became a dead letter alone
      steps.add(
          new Step(
              "RELAYED",
              null,
              detail(
                  "record",
                  letters.stream()
                      .map(ShownDeadLetter::source)
                      .filter(Objects::nonNull)
                      .findFirst()
                      .orElse(null))));
    }
    List<Step> dated = new ArrayList<>();
    letters.forEach(letter -> addLetter(dated, letter, audit));
    if (row != null) {
      dated.add(written(row, letters, audit));
    }
    dated.sort(Comparator.comparing(Step::at));
    steps.addAll(dated);
    if (entry != null && entry.status() == Status.SUCCESS) {
      steps.add(new Step("CONFIRMED", null, detail("orderId", entry.orderId())));
    } else if (entry != null
        && entry.status() != Status.PENDING
        && entry.status() != Status.FAIL_SOLD_OUT) {
      steps.add(new Step("RELEASED", null, detail("reason", entry.reason())));
    }
    return steps;
  }

  private static Step written(
      TracedOrder row, List<ShownDeadLetter> letters, Collection<ShownAudit> audit) {
    return switch (row.status()) {
      case SUCCESS -> new Step("WRITTEN", row.createdAt(), detail("orderId", row.id()));
      case FAIL_SOLD_OUT ->
          new Step("WRITTEN_OFF", row.createdAt(), detail("reason", row.reason()));
      default ->
          new Step(
              "COMPENSATED",
              row.createdAt(),
              detail(
                  "status",
                  row.status(),
                  "reason",
                  row.reason(),
                  "by",
                  letters.stream()
                      .map(letter -> by(letter, audit))
                      .filter(Objects::nonNull)
                      .findFirst()
                      .orElse(null)));
    };
  }

  private static void addLetter(
      List<Step> steps, ShownDeadLetter letter, Collection<ShownAudit> audit) {
    steps.add(
        new Step(
            "DEAD_LETTERED",
            letter.createdAt(),
            detail(
                "deadLetterId",
                letter.id(),
                "cause",
                letter.cause(),
                "attempts",
                letter.attempts(),
                "record",
                letter.source())));
    if (letter.parkedUntil() != null) {
      steps.add(
          new Step(
              "PARKED",
              letter.createdAt(),
              detail("deadLetterId", letter.id(), "until", letter.parkedUntil())));
    }
    if (letter.state().equals("REPLAYED")) {
      steps.add(
          new Step(
              "REPLAYED",
              letter.updatedAt(),
              detail("deadLetterId", letter.id(), "by", by(letter, audit))));
    }
  }

  /** Who handled a dead letter last; null when it was the application itself. */
  private static String by(ShownDeadLetter letter, Collection<ShownAudit> audit) {
    return audit.stream()
        .filter(row -> Objects.equals(row.deadLetterId(), letter.id()))
        .reduce((earlier, later) -> later)
        .map(ShownAudit::operator)
        .orElse(null);
  }

  private static Map<String, Object> detail(Object... namesAndValues) {
    Map<String, Object> detail = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (namesAndValues[i + 1] != null) {
        detail.put((String) namesAndValues[i], namesAndValues[i + 1]);
      }
    }
    return detail;
  }
}
