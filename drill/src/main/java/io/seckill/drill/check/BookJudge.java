package io.seckill.drill.check;

import io.seckill.drill.history.Book;
import io.seckill.drill.history.Event;
import io.seckill.drill.history.Purchase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Judges I1, I2 and I9: the counters of the book alone, against MySQL, and at the end. */
final class BookJudge {
  private static final String SOLD_OUT = "FAIL_SOLD_OUT";

  private BookJudge() {}

  static void judge(Facts facts, Findings findings) {
    facts
        .history()
        .all(Event.Observation.class)
        .forEach(
            observation -> {
              counters(observation.before(), observation, observation.productId(), findings);
              counters(observation.after(), observation, observation.productId(), findings);
              inFlight(facts, observation, findings);
            });
    for (Event.AtRest stage : facts.stages()) {
      for (long productId : facts.sales().keySet()) {
        facts
            .book(stage.stage(), productId)
            .ifPresent(
                found -> {
                  counters(found.book(), found, productId, findings);
                  issued(facts, found, findings);
                  entries(facts, found, findings);
                  atRest(facts, found, findings);
                  undersell(facts, stage, found, findings);
                });
      }
    }
  }

  private static void counters(Book book, Event event, long productId, Findings findings) {
    if (book == null) {
      return;
    }
    findings.checked(Invariant.I1);
    if (book.accounted() != book.issued()) {
      findings.breach(
          Invariant.I1,
          "sum",
          productId,
          String.format(
              Locale.ROOT,
              "available %d + pending %d + sold %d + writtenOff %d = %d, initial %d + restocked"
                  + " %d = %d",
              book.available(),
              book.pending(),
              book.sold(),
              book.writtenOff(),
              book.accounted(),
              book.initial(),
              book.restocked(),
              book.issued()),
          List.of(event));
    }
    if (Math.min(
            Math.min(book.available(), book.pending()), Math.min(book.sold(), book.writtenOff()))
        < 0) {
      findings.breach(Invariant.I1, "negative", productId, book.toString(), List.of(event));
    }
  }

  private static void issued(Facts facts, Event.BookFound found, Findings findings) {
    findings.checked(Invariant.I1);
    Book book = found.book();
    long issued = facts.issued(found.productId());
    findings.term(
        Invariant.I1,
        "product %d at %s: available %d + pending %d + sold %d + writtenOff %d = %d; put on sale"
            + " %d",
        found.productId(),
        found.stage(),
        book.available(),
        book.pending(),
        book.sold(),
        book.writtenOff(),
        book.accounted(),
        issued);
    if (book.issued() != issued) {
      findings.breach(
          Invariant.I1,
          "issued",
          found.productId(),
          "the book says " + book.issued() + " units were put on sale, it was " + issued,
          List.of(found));
    }
  }

  /** The counters must equal the sums over the entries. */
  private static void entries(Facts facts, Event.BookFound found, Findings findings) {
    findings.checked(Invariant.I1);
    List<Event.EntryFound> entries = facts.entries(found.stage(), found.productId());
    Book book = found.book();
    List<String> wrong = new ArrayList<>();
    compare(wrong, "pending", book.pending(), units(entries, Set.of("PENDING")));
    compare(wrong, "sold", book.sold(), units(entries, Set.of("SUCCESS")));
    if (!facts.rebuilt(found.productId())) {
      Map<Boolean, List<Event.EntryFound>> failed =
          entries.stream()
              .filter(entry -> entry.status().startsWith("FAIL"))
              .collect(Collectors.partitioningBy(entry -> entry.status().equals(SOLD_OUT)));
      compare(wrong, "writtenOff", book.writtenOff(), units(failed.get(true)));
      compare(wrong, "released", book.released(), units(failed.get(false)));
    }
    if (!wrong.isEmpty()) {
      List<Event> evidence = new ArrayList<>(List.of(found));
      evidence.addAll(entriesAgainstRows(facts, found));
      findings.breach(
          Invariant.I1, "entries", found.productId(), String.join("; ", wrong), evidence);
    }
  }

  private static void compare(List<String> wrong, String name, long counter, long entries) {
    if (counter != entries) {
      wrong.add(name + " is " + counter + ", the entries add up to " + entries);
    }
  }

  private static long units(List<Event.EntryFound> entries, Set<String> statuses) {
    return units(entries.stream().filter(entry -> statuses.contains(entry.status())).toList());
  }

  private static long units(List<Event.EntryFound> entries) {
    return entries.stream().mapToLong(Event.EntryFound::quantity).sum();
  }

  private static void inFlight(Facts facts, Event.Observation observation, Findings findings) {
    Book before = observation.before();
    Book after = observation.after();
    if (before == null
        || after == null
        || before.epoch() != after.epoch()
        || facts.isLossUnrepaired(observation.productId(), observation.at())) {
      return;
    }
    findings.checked(Invariant.I2);
    long upper = after.sold() + after.pending();
    if (before.sold() > observation.committed() || observation.committed() > upper) {
      findings.breach(
          Invariant.I2,
          "in-flight",
          observation.productId(),
          String.format(
              Locale.ROOT,
              "sold %d <= C %d <= sold %d + pending %d does not hold",
              before.sold(),
              observation.committed(),
              after.sold(),
              after.pending()),
          List.of(observation));
    }
  }

  private static void atRest(Facts facts, Event.BookFound found, Findings findings) {
    findings.checked(Invariant.I2);
    Book book = found.book();
    long committed = facts.committed(found.stage(), found.productId());
    findings.term(
        Invariant.I2,
        "product %d at %s: pending %d, outbox %d, sold %d, C %d",
        found.productId(),
        found.stage(),
        book.pending(),
        found.outbox(),
        book.sold(),
        committed);
    List<Event> evidence = new ArrayList<>(List.of(found));
    evidence.addAll(entriesAgainstRows(facts, found));
    if (book.pending() != 0 || found.outbox() != 0 || found.pendingIndex() != 0) {
      findings.breach(
          Invariant.I2,
          "pending-at-rest",
          found.productId(),
          String.format(
              Locale.ROOT,
              "pending %d, outbox %d, index of pending %d",
              book.pending(),
              found.outbox(),
              found.pendingIndex()),
          evidence);
    }
    if (book.sold() != committed) {
      findings.breach(
          Invariant.I2,
          "sold-is-not-committed",
          found.productId(),
          "sold " + book.sold() + ", C " + committed,
          evidence);
    }
  }

  /** All events of purchases whose entry and row differ. */
  private static List<Event> entriesAgainstRows(Facts facts, Event.BookFound found) {
    return facts.tracks().entrySet().stream()
        .filter(track -> track.getKey().productId() == found.productId())
        .sorted(Comparator.comparing((Map.Entry<Purchase, ?> track) -> track.getKey().toString()))
        .filter(
            track -> {
              Set<String> inRedis =
                  track.getValue().entries(found.stage()).stream()
                      .map(Event.EntryFound::status)
                      .collect(Collectors.toSet());
              Set<String> inMySql =
                  track.getValue().rows(found.stage()).stream()
                      .map(Event.RowFound::status)
                      .collect(Collectors.toSet());
              return !inRedis.equals(inMySql);
            })
        .flatMap(track -> track.getValue().evidence().stream())
        .toList();
  }

  /** If the last buyer of a single unit was refused as sold out, no unit may be left. */
  private static void undersell(
      Facts facts, Event.AtRest stage, Event.BookFound found, Findings findings) {
    Optional<Event.Attempt> last =
        facts
            .history()
            .all(Event.Attempt.class)
            .filter(
                attempt ->
                    attempt.productId() == found.productId()
                        && attempt.quantity() == 1
                        && attempt.end() <= stage.at())
            .max(Comparator.comparingLong(Event.Attempt::at))
            .filter(attempt -> SOLD_OUT.equals(attempt.answer().code()));
    if (last.isEmpty() || !stage.quiet()) {
      return;
    }
    findings.checked(Invariant.I9);
    Book book = found.book();
    findings.term(
        Invariant.I9,
        "product %d at %s: sold %d + writtenOff %d of %d, available %d",
        found.productId(),
        found.stage(),
        book.sold(),
        book.writtenOff(),
        book.issued(),
        book.available());
    if (book.available() > 0) {
      findings.breach(
          Invariant.I9,
          "refused-with-stock",
          found.productId(),
          book.available() + " units are left though the last buyer was told there are none",
          List.of(last.get(), found));
    }
    if (facts.committed(found.stage(), found.productId()) + book.writtenOff()
        < facts.issued(found.productId())) {
      findings.breach(
          Invariant.I9,
          "units-vanished",
          found.productId(),
          String.format(
              Locale.ROOT,
              "C %d + writtenOff %d < put on sale %d",
              facts.committed(found.stage(), found.productId()),
              book.writtenOff(),
              facts.issued(found.productId())),
          List.of(last.get(), found));
    }
  }
}
