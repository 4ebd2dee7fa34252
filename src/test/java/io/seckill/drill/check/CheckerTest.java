package io.seckill.drill.check;

import static io.seckill.drill.check.Story.PRODUCT;
import static io.seckill.drill.check.Story.asked;
import static io.seckill.drill.check.Story.attempt;
import static io.seckill.drill.check.Story.entry;
import static io.seckill.drill.check.Story.id;
import static io.seckill.drill.check.Story.look;
import static io.seckill.drill.check.Story.message;
import static io.seckill.drill.check.Story.row;
import static io.seckill.drill.check.Story.settlement;
import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.drill.history.Answer;
import io.seckill.drill.history.Book;
import io.seckill.drill.history.Event;
import io.seckill.drill.history.History;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckerTest {
  private static final String[] STAGES = {"rest", "replayed", "settled"};

  @ParameterizedTest
  @ValueSource(strings = {"A", "B"})
  void shouldFindNothingInASaleThatWentWell(String strategy) {
    Verdict verdict = Story.wellEnded(strategy).judged();

    assertThat(verdict.breaches()).isEmpty();
    assertThat(verdict.judgements()).allMatch(judgement -> judgement.checked() > 0);
    assertThat(verdict.judgements()).allMatch(judgement -> judgement.exempt().isEmpty());
  }

  static Stream<Arguments> planted() {
    return Stream.of(
        planted("I1/sum", "A", story -> story.books(book -> with(book, 1, 0, 3, 0, 1))),
        planted("I1/negative", "A", story -> story.books(book -> with(book, -1, 0, 4, 0, 1))),
        planted("I1/negative", "A", story -> story.books(book -> with(book, 1, -1, 3, 0, 1))),
        planted(
            "I1/sum",
            "A",
            story ->
                story.add(
                    new Event.Observation(
                        260, PRODUCT, Story.book(1, 1, 0, 0), 0, Story.book(0, 2, 1, 0)))),
        planted(
            "I1/issued",
            "A",
            story -> story.books(book -> new Book(4, 0, 1, 0, 3, 0, 1, book.epoch()))),
        planted("I1/issued", "A", story -> story.add(new Event.Restocked(300, PRODUCT, 5))),
        planted("I1/entries", "A", story -> story.books(book -> with(book, 1, 0, 2, 0, 1))),
        planted("I1/entries", "A", story -> story.books(book -> with(book, 0, 0, 3, 0, 2))),
        planted(
            "I2/in-flight",
            "A",
            story ->
                story.add(
                    new Event.Observation(
                        260, PRODUCT, Story.book(0, 1, 2, 0), 1, Story.book(0, 1, 2, 0)))),
        planted(
            "I2/in-flight",
            "A",
            story ->
                story.add(
                    new Event.Observation(
                        260, PRODUCT, Story.book(1, 1, 1, 0), 3, Story.book(1, 1, 1, 0)))),
        planted(
            "I2/pending-at-rest",
            "A",
            story ->
                story
                    .books(book -> with(book, 0, 1, 2, 0, 1))
                    .change(
                        Event.EntryFound.class,
                        found -> found.userId() == 4,
                        found -> entry(found.stage(), 4, "PENDING"))),
        planted(
            "I2/pending-at-rest",
            "A",
            story ->
                story.change(
                    Event.BookFound.class,
                    found -> true,
                    found ->
                        new Event.BookFound(
                            found.at(), found.stage(), PRODUCT, found.book(), 1, 0))),
        planted(
            "I2/sold-is-not-committed",
            "A",
            story -> story.remove(isRow(4)).remove(isLook(4)).remove(isMessage(4))),
        planted("I3/oversold", "A", story -> oversell(story)),
        planted(
            "I3/oversold",
            "B",
            story ->
                oversell(story)
                    .add(new Event.RedisLost(150, "flushed"))
                    .add(new Event.LedgerSaid(500, "rest", PRODUCT, false))),
        planted(
            "I3/count",
            "B",
            story ->
                story.products(
                    it -> new Event.ProductFound(it.at(), it.stage(), PRODUCT, -1, 3, 0, 1, -1))),
        planted(
            "I3/ledger",
            "A",
            story ->
                story.products(
                    it -> new Event.ProductFound(it.at(), it.stage(), PRODUCT, 3, 3, 0, 1, 2))),
        planted(
            "I4/two-orders",
            "A",
            story -> {
              for (String stage : STAGES) {
                story.add(row(stage, 20, 1, "other", "100-1-other", "SUCCESS"));
              }
            }),
        planted(
            "I4/told-two-orders",
            "A",
            story ->
                story.add(
                    attempt(700, 1, "other", 1, Answer.ended("SUCCESS", "100-1-other", "20")))),
        planted(
            "I5/changed",
            "A",
            story ->
                story.addBefore(
                    Event.AtRest.class::isInstance,
                    look(480, 1, 1, Answer.ended("FAIL_SYSTEM", id(1), null)))),
        planted(
            "I5/never-ended",
            "A",
            story ->
                story.change(
                    Event.Look.class,
                    found -> found.userId() == 2,
                    found ->
                        look(found.at(), 2, 2, new Answer(200, null, "PENDING", id(2), null)))),
        planted("I5/never-ended-unanswered", "A", story -> story.remove(isLook(4))),
        planted(
            "I5/pending-again",
            "A",
            story -> story.add(look(700, 2, 2, new Answer(200, null, "PENDING", id(2), null)))),
        planted(
            "I5/told-otherwise",
            "A",
            story ->
                story.change(
                    Event.Look.class,
                    found -> found.userId() == 2,
                    found -> look(found.at(), 2, 2, Answer.ended("SUCCESS", id(2), "77")))),
        planted("I5/no-row", "A", story -> story.remove(isRow(2))),
        planted(
            "I5/not-at-rest",
            "A",
            story -> atRest(story, rest -> new Event.AtRest(rest.at(), rest.stage(), false))),
        planted(
            "I5/too-late",
            "A",
            story -> atRest(story, rest -> new Event.AtRest(10_401, rest.stage(), true))),
        planted("I6/nobody-asked", "A", story -> story.add(row("rest", 20, 9, "FAIL_SYSTEM"))),
        planted("I6/refused", "A", story -> story.add(row("rest", 20, 5, "FAIL_SYSTEM"))),
        planted(
            "I6/refused",
            "A",
            story ->
                story.change(
                    Event.RowFound.class,
                    found -> found.userId() == 4,
                    found ->
                        new Event.RowFound(
                            found.at(),
                            found.stage(),
                            found.id(),
                            found.requestId(),
                            PRODUCT,
                            4,
                            2,
                            found.idemKey(),
                            found.status(),
                            1))),
        planted("I6/entry", "A", story -> story.add(entry("rest", 9, "FAIL_SYSTEM"))),
        planted("I7/sold-and-released", "A", story -> rowOf(story, 3, "SUCCESS")),
        planted("I7/failed-and-confirmed", "A", story -> rowOf(story, 2, "FAIL_SYSTEM")),
        planted(
            "I7/order-and-tombstone", "A", story -> story.add(row("rest", 20, 2, "FAIL_SYSTEM"))),
        planted("I7/two-entries", "A", story -> story.add(entry("rest", 2, "FAIL_SYSTEM"))),
        planted("I7/released-without-tombstone", "A", story -> story.remove(isRow(3))),
        planted(
            "I5/ended-then-unknown",
            "A",
            story ->
                story
                    .add(new Event.RedisLost(690, "flushed"))
                    .change(Event.MessageFound.class, it -> it.userId() == 2, it -> sentAt(it, 695))
                    .add(look(700, 2, 2, Answer.refused(404, "UNKNOWN_REQUEST")))),
        planted(
            "I5/ended-then-unknown",
            "A",
            story -> story.add(attempt(700, 2, 1, Answer.refused(409, "FAIL_ENDED")))),
        planted(
            "I8/two-request-ids",
            "A",
            story -> story.add(attempt(700, 1, 1, Answer.accepted("100-1-another")))),
        planted(
            "I8/replay-refused",
            "A",
            story -> story.add(attempt(700, 1, 1, Answer.refused(409, "FAIL_DUPLICATE")))),
        planted(
            "I8/replay-refused",
            "A",
            story -> story.add(attempt(700, 1, 1, Answer.refused(409, "FAIL_SOLD_OUT")))),
        planted(
            "I8/key-reused", "A", story -> story.add(attempt(700, 1, 2, Answer.accepted(id(1))))),
        planted(
            "I8/forgotten",
            "A",
            story -> story.add(look(700, 1, 1, Answer.refused(404, "UNKNOWN_REQUEST")))),
        planted(
            "I8/revealed",
            "A",
            story -> story.add(look(700, 1, 5, Answer.ended("SUCCESS", id(1), "11")))),
        planted(
            "I9/refused-with-stock", "A", story -> story.books(book -> with(book, 1, 0, 2, 0, 1))),
        planted(
            "I9/units-vanished",
            "A",
            story -> story.remove(isRow(2)).books(book -> with(book, 0, 0, 3, 0, 1))),
        planted("I10/two-rows", "A", story -> story.add(row("rest", 20, 2, "SUCCESS"))),
        planted(
            "I10/rows-differ",
            "A",
            story ->
                story.remove(
                    event ->
                        event instanceof Event.RowFound found
                            && found.stage().equals("replayed")
                            && found.userId() == 1)),
        planted(
            "I10/book-differs",
            "A",
            story ->
                story.change(
                    Event.BookFound.class,
                    found -> found.stage().equals("replayed"),
                    found ->
                        new Event.BookFound(
                            found.at(), "replayed", PRODUCT, Story.book(1, 0, 2, 2), 0, 0))),
        planted(
            "I10/count-differs",
            "B",
            story ->
                story.change(
                    Event.ProductFound.class,
                    found -> found.stage().equals("replayed"),
                    found ->
                        new Event.ProductFound(found.at(), "replayed", PRODUCT, -1, 3, 0, 1, -1))),
        planted(
            "I11/admitted-after-end",
            "A",
            story -> story.add(attempt(700, 7, 1, Answer.accepted(id(7))))),
        planted(
            "I11/admitted-after-end",
            "A",
            story -> story.add(attempt(700, 7, 1, Answer.NONE), row("settled", 20, 7, "SUCCESS"))),
        planted(
            "I11/admitted-after-end",
            "A",
            story ->
                story.add(attempt(700, 7, 1, Answer.NONE), entry("settled", 7, "FAIL_SYSTEM"))),
        planted("I11/settlement", "A", story -> settled(story, settlement(2, 3, 3, 1, null))),
        planted("I11/settlement", "A", story -> settled(story, settlement(3, 2, 3, 0, null))),
        planted("I11/settlement", "A", story -> settled(story, settlement(3, 3, 4, 0, null))),
        planted("I11/settlement", "A", story -> settled(story, settlement(3, 3, 3, 1, null))),
        planted("I11/settlement", "B", story -> settled(story, settlement(3, 3, 3, 0, "{}"))),
        planted(
            "I11/settlement",
            "A",
            story ->
                story.change(
                    Event.ProductFound.class,
                    found -> found.stage().equals("settled"),
                    found -> new Event.ProductFound(670, "settled", PRODUCT, 3, 3, 0, 1, 3))),
        planted(
            "I12/admitted-while-paused",
            "A",
            story ->
                story.addBefore(
                    Event.Healed.class::isInstance,
                    asked(90, "RESUME", 200, null),
                    asked(310, "PAUSE", 200, null),
                    attempt(325, 4, 1, Answer.accepted(id(4))),
                    asked(340, "RESUME", 200, null))),
        planted("I12/no-reason", "A", story -> story.add(asked(700, "SETTLE", 500, "INTERNAL"))),
        planted("I12/no-reason", "A", story -> story.add(asked(700, "REBUILD", 409, null))),
        planted(
            "I12/alarm-stays-on",
            "A",
            story ->
                story.add(new Event.AlarmsFound(700, "node-2", List.of("seckill_books_lost 1")))));
  }

  private static void settled(Story story, Event.SettlementFound instead) {
    story.change(Event.SettlementFound.class, found -> true, found -> instead);
  }

  @ParameterizedTest(name = "{0} in strategy {1}")
  @MethodSource("planted")
  void shouldFindWhatWasPlanted(String expected, String strategy, Consumer<Story> spoil) {
    Story story = Story.wellEnded(strategy);
    spoil.accept(story);

    Verdict verdict = story.judged();

    assertThat(verdict.breaches())
        .extracting(breach -> breach.invariant() + "/" + breach.code())
        .contains(expected);
    assertThat(verdict.breaches()).allMatch(breach -> !breach.evidence().isEmpty());
  }

  static Stream<Arguments> harmless() {
    return Stream.of(
        harmless(
            "a time-out whose reservation was never made",
            story -> story.add(attempt(340, 6, 1, Answer.NONE))),
        harmless(
            "a 503 though the reservation was made",
            story ->
                story.change(
                    Event.Attempt.class,
                    it -> it.userId() == 4,
                    it -> attempt(it.at(), 4, 1, Answer.refused(503, "DEGRADED")))),
        harmless(
            "a replay that is throttled, cut or degraded",
            story ->
                story.add(
                    attempt(700, 1, 1, Answer.refused(429, "THROTTLED")),
                    attempt(700, 1, 1, Answer.NONE),
                    attempt(700, 1, 1, Answer.refused(503, "DEGRADED")))),
        harmless(
            "a refusal that was asked for before the reservation was answered",
            story -> story.add(attempt(101, 1, 1, Answer.refused(409, "FAIL_SOLD_OUT")))),
        harmless(
            "a buyer who buys again after a compensation",
            story ->
                story
                    .add(attempt(480, 3, "again", 1, Answer.refused(409, "FAIL_SOLD_OUT")))
                    .add(attempt(490, 1, "again", 1, Answer.refused(409, "FAIL_DUPLICATE")))),
        harmless(
            "several messages of one reservation",
            story -> story.add(message("rest", 1), message("rest", 1))),
        harmless(
            "an observation of two epochs",
            story ->
                story.add(
                    new Event.Observation(
                        260,
                        PRODUCT,
                        Story.book(0, 0, 3, 0),
                        0,
                        new Book(3, 0, 3, 0, 0, 0, 0, 2)))),
        harmless(
            "a purchase that was asked for before the end, and its replay after that",
            story ->
                story
                    .change(
                        Event.Asked.class,
                        it -> it.action().equals("END"),
                        it -> new Event.Asked(320, 329, PRODUCT, "END", 200, null))
                    .change(
                        Event.Attempt.class,
                        it -> it.userId() == 4,
                        it -> attempt(329, 4, 1, Answer.NONE))
                    .add(attempt(700, 4, 1, Answer.ended("SUCCESS", id(4), "14")))),
        harmless(
            "an end that nobody was told of",
            story ->
                story.change(
                    Event.Asked.class,
                    it -> it.action().equals("END"),
                    it -> new Event.Asked(50, 55, PRODUCT, "END", 503, "DEGRADED"))),
        harmless(
            "a pause, and a wish to resume that may have been done",
            story ->
                story.addBefore(
                    Event.Healed.class::isInstance,
                    asked(310, "PAUSE", 200, null),
                    asked(290, "RESUME", 0, null),
                    attempt(325, 4, 1, Answer.accepted(id(4))))),
        harmless(
            "a refusal with a reason, and no answer",
            story ->
                story.add(
                    asked(700, "REBUILD", 409, "REBUILDING"),
                    asked(700, "SETTLE", 503, "DEGRADED"),
                    asked(700, "RESTOCK", 0, null))),
        harmless(
            "an observation without a book",
            story -> story.add(new Event.Observation(260, PRODUCT, null, 7, null))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("harmless")
  void shouldNotTakeTheHarmlessForABreach(String name, Consumer<Story> change) {
    Story story = Story.wellEnded("A");
    change.accept(story);

    assertThat(story.judged().breaches()).isEmpty();
  }

  @Test
  void shouldExemptWhatRedisLostBeforeAnybodyKnewAndNameIt() {
    Story story =
        Story.wellEnded("A")
            .add(attempt(110, 7, 1, Answer.accepted("100-7-hash")))
            .add(new Event.RedisLost(150, "flushed"))
            .add(look(700, 7, 7, Answer.refused(404, "UNKNOWN_REQUEST")));

    Verdict verdict = story.judged();

    assertThat(verdict.breaches()).isEmpty();
    assertThat(verdict.of(Invariant.I5).exempt()).singleElement().asString().contains("100:7:k7");
  }

  @Test
  void shouldNotExemptWhatWasAskedForAfterTheLoss() {
    Story story =
        Story.wellEnded("A")
            .add(new Event.RedisLost(150, "flushed"))
            .add(attempt(160, 7, 1, Answer.accepted("100-7-hash")))
            .add(look(700, 7, 7, Answer.refused(404, "UNKNOWN_REQUEST")));

    assertThat(story.judged().breaches())
        .extracting(Breach::code)
        .contains("never-ended", "forgotten");
  }

  @Test
  void shouldForgiveAnotherAnswerWhereRedisForgotWhatKafkaDidNotKnow() {
    Story story =
        Story.wellEnded("A")
            .change(Event.MessageFound.class, it -> it.userId() == 1, it -> sentAt(it, 170))
            .add(new Event.RedisLost(150, "flushed"))
            .add(attempt(160, 1, 1, Answer.refused(409, "FAIL_SOLD_OUT")))
            .add(look(165, 1, 1, Answer.refused(404, "UNKNOWN_REQUEST")));

    Verdict verdict = story.judged();

    assertThat(verdict.breaches()).isEmpty();
    assertThat(verdict.of(Invariant.I8).exempt()).isNotEmpty();
  }

  @Test
  void shouldNotForgiveAnotherAnswerWhereKafkaKnewBeforeTheLoss() {
    Story story =
        Story.wellEnded("A")
            .add(new Event.RedisLost(150, "flushed"))
            .add(attempt(160, 1, 1, Answer.refused(409, "FAIL_SOLD_OUT")))
            .add(look(165, 1, 1, Answer.refused(404, "UNKNOWN_REQUEST")));

    assertThat(story.judged().breaches())
        .extracting(Breach::code)
        .contains("replay-refused", "forgotten");
  }

  private static Event.MessageFound sentAt(Event.MessageFound message, long at) {
    return message(message.stage(), message.userId(), at);
  }

  @Test
  void shouldNotExemptWhatKafkaKnew() {
    Story story =
        Story.wellEnded("A")
            .add(attempt(110, 7, 1, Answer.accepted("100-7-hash")))
            .add(new Event.RedisLost(150, "flushed"))
            .add(message("rest", 7))
            .add(look(700, 7, 7, Answer.refused(404, "UNKNOWN_REQUEST")));

    assertThat(story.judged().breaches()).extracting(Breach::code).contains("never-ended");
  }

  @Test
  void shouldNotJudgeCommitsAgainstABookThatIsBeingRebuilt() {
    Event.Observation emptied =
        new Event.Observation(260, PRODUCT, Story.book(3, 0, 0, 0), 2, Story.book(3, 0, 0, 0));
    Story lost = Story.wellEnded("A").add(new Event.RedisLost(255, "older files"), emptied);
    Story rebuiltBefore =
        Story.wellEnded("A")
            .add(new Event.RedisLost(255, "older files"), new Event.Rebuilt(258, PRODUCT), emptied);

    assertThat(lost.judged().breaches()).isEmpty();
    assertThat(rebuiltBefore.judged().breaches()).extracting(Breach::code).contains("in-flight");
  }

  @Test
  void shouldExemptAnOversellOfStrategyAOnlyWhenRedisLostDataAndTheLedgerNamesIt() {
    Event lost = new Event.RedisLost(150, "flushed");
    Event named = new Event.LedgerSaid(500, "rest", PRODUCT, false);
    Event namedAgain = new Event.LedgerSaid(500, "replayed", PRODUCT, false);
    Event namedAtLast = new Event.LedgerSaid(670, "settled", PRODUCT, false);

    assertThat(
            oversell(Story.wellEnded("A"))
                .add(lost, named, namedAgain, namedAtLast)
                .judged()
                .breaches())
        .extracting(Breach::code)
        .doesNotContain("oversold");
    assertThat(oversell(Story.wellEnded("A")).add(lost).judged().breaches())
        .extracting(Breach::code)
        .contains("oversold");
    assertThat(
            oversell(Story.wellEnded("A")).add(named, namedAgain, namedAtLast).judged().breaches())
        .extracting(Breach::code)
        .contains("oversold");
  }

  @Test
  void shouldShowABreachByTheSmallestHistory() {
    Story story = Story.wellEnded("A");
    for (int i = 0; i < 50; i++) {
      story.add(attempt(700 + i, 1, 1, Answer.ended("SUCCESS", id(1), "11")));
      story.add(look(700 + i, 1, 1, Answer.ended("SUCCESS", id(1), "11")));
    }
    story.add(look(760, 1, 1, Answer.ended("FAIL_SYSTEM", id(1), "11")));

    Breach changed =
        story.judged().breaches().stream()
            .filter(breach -> breach.code().equals("changed"))
            .findFirst()
            .orElseThrow();

    List<Event> clientEvents =
        changed.evidence().stream()
            .filter(event -> event instanceof Event.Attempt || event instanceof Event.Look)
            .toList();
    assertThat(clientEvents).hasSize(2);
    assertThat(clientEvents).anyMatch(event -> event.toString().contains("FAIL_SYSTEM"));
  }

  @Test
  void shouldReadBackWhatItWrote(@TempDir Path folder) throws Exception {
    History history =
        Story.wellEnded("B")
            .add(
                new Event.Restocked(1, PRODUCT, 2),
                new Event.Deed(2, "kill", "Redis killed"),
                new Event.RedisLost(3, "flushed"),
                new Event.Rebuilt(4, PRODUCT))
            .history();

    history.write(folder.resolve("history.jsonl"));

    assertThat(History.read(folder.resolve("history.jsonl"))).isEqualTo(history);
  }

  private static Arguments planted(String code, String strategy, Consumer<Story> spoil) {
    return Arguments.of(code, strategy, spoil);
  }

  private static Arguments harmless(String name, Consumer<Story> change) {
    return Arguments.of(name, change);
  }

  private static Book with(
      Book book, long available, long pending, long sold, long writtenOff, long released) {
    return new Book(
        book.initial(),
        book.restocked(),
        available,
        pending,
        sold,
        writtenOff,
        released,
        book.epoch());
  }

  private static Story oversell(Story story) {
    for (String stage : STAGES) {
      story.add(row(stage, 20, 6, "SUCCESS"));
    }
    return story.add(attempt(120, 6, 1, Answer.accepted(id(6))));
  }

  private static Story rowOf(Story story, long user, String status) {
    return story.change(
        Event.RowFound.class,
        found -> found.userId() == user,
        found -> row(found.stage(), found.id(), user, status));
  }

  private static Story atRest(Story story, UnaryOperator<Event.AtRest> change) {
    return story.change(Event.AtRest.class, rest -> rest.stage().equals("rest"), change);
  }

  private static Predicate<Event> isRow(long user) {
    return event -> event instanceof Event.RowFound found && found.userId() == user;
  }

  private static Predicate<Event> isLook(long user) {
    return event -> event instanceof Event.Look found && found.userId() == user;
  }

  private static Predicate<Event> isMessage(long user) {
    return event -> event instanceof Event.MessageFound found && found.userId() == user;
  }
}
