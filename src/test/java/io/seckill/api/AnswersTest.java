package io.seckill.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.seckill.answer.Answer;
import io.seckill.answer.Refusal;
import io.seckill.book.script.LookupReply;
import io.seckill.book.script.LookupReply.NotFound;
import io.seckill.book.script.NoBook;
import io.seckill.domain.Purchase;
import io.seckill.domain.Status;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRegistry;
import io.seckill.sale.SaleRow;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** Answers for replies that are rare, or hard to bring about, on real servers. */
class AnswersTest {
  private static final Purchase PURCHASE = new Purchase(8, 7, "k", 1, "8-7-h");

  private final PurchaseAnswers answers = new PurchaseAnswers(new PendingTime(System::nanoTime));
  private final SaleRegistry sales = new SaleRegistry();

  @Test
  void shouldTellAReplay() throws Exception {
    assertThat(answers.replay(PURCHASE, "8-7-h", Status.PENDING, null, null).status())
        .isEqualTo(202);
    Answer ended = answers.replay(PURCHASE, "8-7-h", Status.SUCCESS, 12L, null);
    assertThat(ended.status()).isEqualTo(200);
    assertThat(ended.headers()).isEmpty();
    assertThat(json(ended).path("orderId").longValue()).isEqualTo(12);
  }

  @Test
  void shouldTellHowLongToWaitForTheStart() {
    assertThat(answers.notStarted(PURCHASE, 10_001, 10_000).retryAfter()).hasValue(1);
    assertThat(answers.notStarted(PURCHASE, 12_001, 10_000).retryAfter()).hasValue(3);
    assertThat(answers.notStarted(PURCHASE, Long.MAX_VALUE / 2, 10_000).retryAfter())
        .hasValue(Integer.MAX_VALUE);
  }

  @Test
  void shouldNotCallUncertainWhatIsCertain() {
    sales.load(List.of(row(1, true, false), row(2, false, false), row(3, true, true)));
    ResultAnswers results = new ResultAnswers(sales);
    LongPredicate trusted = product -> product != 9;
    LookupReply noBook = NoBook.INSTANCE;
    LookupReply noEntry = new NotFound();
    assertThat(results.isUncertain(trusted, List.of(1L), List.of(noEntry))).isFalse();
    assertThat(results.isUncertain(trusted, List.of(1L), List.of(noBook))).isTrue();
    assertThat(results.isUncertain(trusted, List.of(2L), List.of(noBook))).isTrue();
    assertThat(results.isUncertain(trusted, List.of(3L), List.of(noBook))).isFalse();
    assertThat(results.isUncertain(trusted, List.of(4L), List.of(noBook))).isFalse();
    assertThat(results.isUncertain(trusted, List.of(9L), List.of(noEntry))).isTrue();
    assertThat(results.isUncertain(trusted, List.of(2L, 1L), List.of(noBook, noBook))).isTrue();
    assertThat(results.isUncertain(trusted, List.of(), List.of())).isFalse();
    assertThat(
            new ResultAnswers(new SaleRegistry())
                .isUncertain(trusted, List.of(1L), List.of(noEntry)))
        .isTrue();
  }

  @Test
  void shouldReadRowsOfKeysThatHoldColons() throws Exception {
    ResultAnswers results = new ResultAnswers(sales);
    Answer answer =
        results
            .fromOrders(List.of(new FoundOrder(5, "8-7-h", 8, 1, "8:7:a:b", Status.SUCCESS, null)))
            .orElseThrow();
    assertThat(json(answer).path("idemKey").textValue()).isEqualTo("a:b");
    assertThat(json(answer).path("orderId").longValue()).isEqualTo(5);
  }

  @Test
  void shouldTellASaleByTheClock() throws Exception {
    Instant now = Instant.parse("2026-11-11T00:00:00Z");
    sales.load(List.of(row(1, true, false)));
    SaleAnswers answer = new SaleAnswers(sales, Clock.fixed(now, ZoneOffset.UTC));
    assertThat(json(answer.sale(1)).path("serverTime").textValue())
        .isEqualTo("2026-11-11T00:00:00Z");
    assertThatThrownBy(() -> answer.sale(2)).hasMessageContaining("no sale");
    assertThatThrownBy(() -> new SaleAnswers(new SaleRegistry(), Clock.systemUTC()).sale(1))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(503));
  }

  private static SaleRow row(long product, boolean preheated, boolean settled) {
    return new SaleRow(
        new Sale(product, "n", 1, 0, 1, null, null, null, null, Sale.State.OPEN, 1, preheated),
        settled);
  }

  private static JsonNode json(Answer answer) throws IOException {
    return new ObjectMapper().readTree(answer.body());
  }
}
