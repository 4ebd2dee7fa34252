package io.seckill.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.book.script.Script;
import io.seckill.redis.ScriptCall;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SoldOutGateTest {
  private static final long PRODUCT = 7;
  private static final long NOW = 1_000_000;

  private final AtomicLong nanos = new AtomicLong();
  private final SoldOutGate gate = new SoldOutGate(200, 5, nanos::get);

  @Test
  void shouldStayOpenUntilEveryBuyerIsLoaded() {
    assertThat(gate.questions()).isEmpty();
    gate.soldOut(PRODUCT);
    assertThat(gate.refuses(PRODUCT, 9, 1)).isFalse();

    answer(reply(0, 0, "17", "1", "2|k"));
    assertThat(gate.isLoading()).isTrue();
    assertThat(gate.refuses(PRODUCT, 9, 1)).isFalse();

    assertThat(cursors()).containsExactly("17");
    answer(reply(0, 0, "0", "3"));
    assertThat(gate.isLoading()).isFalse();
    assertThat(gate.refuses(PRODUCT, 9, 1)).isTrue();
  }

  @Test
  void shouldLetBuyersAndFormerBuyersAskRedis() {
    shut("1", "2|old-key", "3");
    assertThat(gate.refuses(PRODUCT, 1, 1)).isFalse();
    assertThat(gate.refuses(PRODUCT, 2, 1)).isFalse();
    assertThat(gate.refuses(PRODUCT, 3, 1)).isFalse();
    assertThat(gate.refuses(PRODUCT, 4, 1)).isTrue();
    assertThat(gate.refuses(8, 4, 1)).isFalse();
  }

  @Test
  void shouldLeaveQuantitiesOverTheLimitToRedis() {
    shut("1");
    assertThat(gate.refuses(PRODUCT, 4, 2)).isTrue();
    assertThat(gate.refuses(PRODUCT, 4, 3)).isFalse();
  }

  @Test
  void shouldOpenWhenUnitsComeBack() {
    shut("1");
    gate.open(PRODUCT);
    assertThat(gate.refuses(PRODUCT, 4, 1)).isFalse();

    shut("1");
    answer(reply(1, 0, "0"));
    assertThat(gate.refuses(PRODUCT, 4, 1)).isFalse();
  }

  @Test
  void shouldOpenWhenUnitsCameBackAndWentBetweenTwoProbes() {
    shut("1");
    answer(reply(0, 1, "0"));
    assertThat(gate.refuses(PRODUCT, 4, 1)).isFalse();
  }

  @Test
  void shouldBeginAnewWhenTheBookMovedWhileBuyersWereLoaded() {
    gate.soldOut(PRODUCT);
    answer(reply(0, 0, "17", "1"));
    answer(reply(0, 1, "0", "3"));
    assertThat(gate.refuses(PRODUCT, 4, 1)).isFalse();
    assertThat(gate.questions()).isEmpty();
  }

  @Test
  void shouldOpenWhenTheSaleIsNotOpenOrTheBookIsGone() {
    shut("1");
    List<Object> paused = reply(0, 0, "0");
    paused.set(6, "PAUSED");
    answer(paused);
    assertThat(gate.refuses(PRODUCT, 4, 1)).isFalse();

    shut("1");
    answer(new ArrayList<>(List.of(-1L)));
    assertThat(gate.refuses(PRODUCT, 4, 1)).isFalse();
  }

  @Test
  void shouldOpenWhenProbesFail() {
    shut("1");
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(999));
    assertThat(gate.refuses(PRODUCT, 4, 1)).isTrue();
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
    assertThat(gate.refuses(PRODUCT, 4, 1)).isFalse();

    answer(reply(0, 0, "0"));
    assertThat(gate.refuses(PRODUCT, 4, 1)).isTrue();
  }

  @Test
  void shouldOpenWhenTheWindowEnds() {
    gate.soldOut(PRODUCT);
    List<Object> endsSoon = reply(0, 0, "0", "1");
    endsSoon.set(7, Long.toString(NOW + 100));
    answer(endsSoon);
    assertThat(gate.refuses(PRODUCT, 4, 1)).isTrue();
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
    assertThat(gate.refuses(PRODUCT, 4, 1)).isFalse();
  }

  @Test
  void shouldStayOpenForAProductWithTooManyBuyers() {
    shut("1", "2", "3", "4", "5", "6");
    assertThat(gate.refuses(PRODUCT, 9, 1)).isFalse();
    assertThat(gate.isLoading()).isFalse();
    gate.soldOut(PRODUCT);
    assertThat(gate.isLoading()).isFalse();
  }

  private void shut(String... fields) {
    gate.soldOut(PRODUCT);
    answer(reply(0, 0, "0", fields));
  }

  private List<String> cursors() {
    return gate.questions().stream().map(call -> call.arguments()[0]).toList();
  }

  private void answer(List<Object> reply) {
    List<ScriptCall> calls = gate.questions();
    gate.take(List.of(Script.GATE.read(reply)), calls);
  }

  /** A reply of gate.lua: maxQuantity 2, no end. */
  private static List<Object> reply(
      long available, long released, String cursor, String... fields) {
    List<Object> reply =
        new ArrayList<>(List.of(1L, available, released, 0L, 1L, 2L, "OPEN", "", NOW, cursor));
    Collections.addAll(reply, fields);
    return reply;
  }
}
