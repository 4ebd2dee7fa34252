package io.seckill.book;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

class AdmissionGuardTest {
  private final AdmissionGuard guard = new AdmissionGuard();

  @Test
  void shouldAdmitNothingBeforeItIsKnownWhichSalesThereAre() {
    assertThat(guard.admits(1)).isFalse();
    guard.observed("a");
    assertThat(guard.admits(1)).isFalse();
    assertThat(guard.isExamined()).isFalse();
  }

  @Test
  void shouldAdmitSalesThatAreNotListedAndThoseThatAreCurrent() {
    guard.observed("a");
    guard.listed(guard.version(), List.of(1L, 2L));
    assertThat(guard.admits(3)).isTrue();
    assertThat(guard.admits(1)).isFalse();
    guard.current(guard.version(), 1);
    assertThat(guard.admits(1)).isTrue();
    assertThat(guard.admits(2)).isFalse();
    assertThat(guard.closed()).containsExactly(2L);
  }

  @Test
  void shouldCloseEverySaleAtAnotherRunAndNoneAtTheSame() {
    AtomicInteger told = new AtomicInteger();
    guard.onClosed(told::incrementAndGet);
    guard.observed("a");
    guard.listed(guard.version(), List.of());
    guard.observed("a");
    assertThat(guard.admits(1)).isTrue();
    assertThat(told).hasValue(1);
    guard.observed("b");
    assertThat(guard.admits(1)).isFalse();
    assertThat(told).hasValue(2);
  }

  @Test
  void shouldNotTrustAnAnswerThatWasAskedForBeforeTheBookWasOpenedOrAfterwardsClosed() {
    guard.observed("a");
    guard.listed(guard.version(), List.of(1L));
    LongPredicate asked = guard.trust();
    guard.current(guard.version(), 1);
    assertThat(asked.test(1)).isFalse();
    assertThat(asked.test(2)).isTrue();

    LongPredicate askedAgain = guard.trust();
    assertThat(askedAgain.test(1)).isTrue();
    guard.observed("b");
    guard.listed(guard.version(), List.of());
    assertThat(guard.admits(1)).isTrue();
    assertThat(askedAgain.test(1)).isFalse();
  }

  @Test
  void shouldStayClosedWhileRedisTellsNoRunId() {
    guard.observed("a");
    guard.listed(guard.version(), List.of());
    guard.observed("");
    assertThat(guard.admits(1)).isFalse();
    guard.listed(guard.version(), List.of());
    assertThat(guard.admits(1)).isFalse();
    guard.observed("a");
    guard.listed(guard.version(), List.of());
    assertThat(guard.admits(1)).isTrue();
  }

  @Test
  void shouldDropAJudgementThatIsOlderThanTheLastClosing() {
    guard.observed("a");
    long before = guard.version();
    guard.observed("b");
    guard.listed(before, List.of());
    assertThat(guard.isExamined()).isFalse();
    guard.listed(guard.version(), List.of());
    long judged = guard.version();
    guard.close(7);
    guard.current(judged, 7);
    assertThat(guard.admits(7)).isFalse();
    assertThat(guard.admits(8)).isTrue();
    guard.current(guard.version(), 7);
    assertThat(guard.admits(7)).isTrue();
  }
}
