package io.seckill.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketTableTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long SEED = 42;

  private final AtomicLong clock = new AtomicLong(123_456_789);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 50, 999, 1_000, 100_000})
  void shouldHoldOneSecondsWorthAndFillEvenly(int rate) {
    BucketTable table = table(100);
    assertThat(table.take(1, rate)).isEqualTo(rate - 1);
    assertThat(taken(table, 1, rate, 2 * rate)).isEqualTo(rate - 1);

    clock.addAndGet(SECOND / 2);
    assertThat(taken(table, 1, rate, 2 * rate)).isBetween(rate / 2L, rate / 2L + rate / 70 + 1);
    clock.addAndGet(SECOND);
    assertThat(taken(table, 1, rate, 2 * rate)).isEqualTo(rate);
    clock.addAndGet(100 * SECOND);
    assertThat(taken(table, 1, rate, 2 * rate)).as("after a long time").isEqualTo(rate);
  }

  @Test
  void shouldTellHowLongToWait() {
    BucketTable table = table(100);
    assertThat(taken(table, 1, 4, 10)).isEqualTo(4);
    long wait = -table.take(1, 4);
    assertThat(wait).isEqualTo(SECOND / 4);
    clock.addAndGet(wait - 128);
    assertThat(table.take(1, 4)).isEqualTo(-128);
    clock.addAndGet(128);
    assertThat(table.take(1, 4)).isZero();
  }

  @Test
  void shouldGiveBack() {
    BucketTable table = table(100);
    assertThat(taken(table, 1, 4, 10)).isEqualTo(4);
    table.giveBack(1, 4);
    assertThat(taken(table, 1, 4, 10)).isEqualTo(1);
    clock.addAndGet(SECOND);
    table.giveBack(1, 4);
    assertThat(taken(table, 1, 4, 10)).as("never more than it holds").isEqualTo(4);
    table.giveBack(2, 4);
    assertThat(taken(table, 2, 4, 10)).isEqualTo(4);
  }

  @Test
  void shouldHeedAnotherRateWithinASecond() {
    BucketTable table = table(100);
    assertThat(taken(table, 1, 1, 10)).isEqualTo(1);
    clock.addAndGet(SECOND / 100);
    assertThat(table.take(1, 100)).isZero();
    assertThat(taken(table, 1, 1, 10)).isZero();
    clock.addAndGet(SECOND);
    assertThat(taken(table, 1, 1, 10)).isEqualTo(1);
  }

  @Test
  void shouldTakeRatesAboveItsResolution() {
    BucketTable table = table(100);
    assertThat(taken(table, 1, 10_000_000, 20_000_000)).isBetween(7_000_000L, 10_000_000L);
    assertThat(table.take(1, 10_000_000)).isNegative();
    clock.addAndGet(SECOND);
    assertThat(table.take(1, 10_000_000)).isPositive();
  }

  /** Ids that follow each other, addresses that do, and any. */
  @Test
  void shouldKeepTheKeysApartThatItHasRoomFor() {
    BucketTable table = table(100_000);
    long[] keys =
        LongStream.concat(
                LongStream.range(0, 5_000),
                LongStream.concat(
                    LongStream.range(0, 5_000).map(i -> 0x20010DB800000000L + (i << 16)),
                    new java.util.Random(1).longs(5_000)))
            .toArray();
    for (long key : keys) {
      assertThat(table.take(key, 2)).isEqualTo(1);
    }
    long remembered = 0;
    for (long key : keys) {
      long left = table.take(key, 2);
      assertThat(left).as("nobody is charged for another's").isNotNegative();
      remembered += left == 0 ? 1 : 0;
    }
    assertThat(remembered).as("of 15,000 keys in 131,072 entries").isGreaterThan(14_950);
  }

  @Test
  void shouldRefuseNobodyWhereItIsTooSmall() {
    BucketTable table = table(4);
    for (int round = 0; round < 3; round++) {
      for (long key = 0; key < 1_000; key++) {
        assertThat(table.take(key, 3)).isNotNegative();
      }
    }
  }

  @Test
  void shouldForgetTheOneThatIsFullSoonest() {
    BucketTable table = table(4);
    for (long key = 1; key <= 4; key++) {
      for (long i = 0; i < key; i++) {
        table.take(key, 10);
      }
    }
    assertThat(table.take(5, 10)).as("takes the place of 1").isEqualTo(9);
    assertThat(table.take(2, 10)).isEqualTo(7);
    assertThat(table.take(3, 10)).isEqualTo(6);
    assertThat(table.take(4, 10)).isEqualTo(5);
    clock.addAndGet(SECOND / 5);
    assertThat(table.take(6, 10)).as("takes the place of 5, which is full").isEqualTo(9);
    assertThat(table.take(2, 10)).isEqualTo(8);
    assertThat(table.take(4, 10)).isEqualTo(6);
  }

  @Test
  void shouldKnowOldEntriesForWhatTheyAre() {
    BucketTable table = table(4);
    assertThat(taken(table, 1, 2, 9)).isEqualTo(2);
    long turn = 128L << 40;
    for (long age : new long[] {turn / 2, turn - 2 * SECOND, turn + 2 * SECOND, 5 * turn / 2}) {
      clock.addAndGet(age);
      assertThat(taken(table, 1, 2, 9)).as("after %s ns", age).isEqualTo(2);
    }
  }

  @Test
  void shouldNotTellOnlyKeysOfTheSameSetAndTagApart() {
    BucketTable table = table(1);
    assertThat(taken(table, unhash(0x123456_0000000000L), 1, 9)).isEqualTo(1);
    assertThat(table.take(unhash(0x123457_0000000000L), 1)).as("another tag").isZero();
    assertThat(table.take(unhash(0x123456_0000000001L), 1)).as("the same").isNegative();
    clock.addAndGet(SECOND);
    assertThat(table.take(unhash(0x123456_0000000001L), 1)).as("a second later").isZero();
    assertThat(table.take(unhash(0L), 1)).as("of the tag that stands for empty").isZero();
    assertThat(table.take(unhash(0L), 1)).isNegative();
  }

  @Test
  void shouldGiveNoTokenTwiceToManyThreads() throws Exception {
    int threads = 8;
    int rate = 100_000;
    BucketTable table = table(1_000);
    long[] keys = LongStream.range(0, 4).toArray();
    // two threads that meet a new key at once may give it two entries
    long sum = LongStream.of(keys).filter(key -> table.take(key, rate) >= 0).count();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Long>> counts = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        counts.add(
            pool.submit(
                () -> {
                  long taken = 0;
                  for (int turn = 0; turn < rate; turn++) {
                    for (long key : keys) {
                      if (table.take(key, rate) >= 0) {
                        taken++;
                        if (turn % 3 == 0) {
                          table.giveBack(key, rate);
                          taken--;
                        }
                      }
                    }
                  }
                  return taken;
                }));
      }
      for (Future<Long> count : counts) {
        sum += count.get();
      }
      sum += LongStream.of(keys).map(key -> taken(table, key, rate, 2 * rate)).sum();
      assertThat(sum).as("the clock stands still").isEqualTo((long) keys.length * rate);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void shouldBearManyKeysAndThreads() {
    BucketTable table = new BucketTable(64, System::nanoTime);
    long refused =
        IntStream.range(0, 8)
            .parallel()
            .mapToLong(
                thread ->
                    LongStream.range(0, 200_000)
                        .filter(i -> table.take(thread * 1_000_000L + i, 1) < 0)
                        .count())
            .sum();
    // in so small a table a new key meets the tag of one of four others once in 2^22: here 0.4
    // times
    assertThat(refused).as("each of 1.6 million keys asks once").isLessThan(20);
  }

  private BucketTable table(int keys) {
    return new BucketTable(keys, clock::get, SEED);
  }

  private static long taken(BucketTable table, long key, int rate, int attempts) {
    return IntStream.range(0, attempts).filter(i -> table.take(key, rate) >= 0).count();
  }

  /** The key of a hash: each step of the hash can be undone. */
  private static long unhash(long hash) {
    long z = unshift(hash, 31) * inverse(0x94d049bb133111ebL);
    z = unshift(z, 27) * inverse(0xbf58476d1ce4e5b9L);
    return unshift(z, 30) ^ SEED;
  }

  private static long unshift(long value, int bits) {
    long z = value;
    for (int i = 0; i < 64 / bits; i++) {
      z = value ^ z >>> bits;
    }
    return z;
  }

  /** Modulo 2^64, by Newton's iteration. */
  private static long inverse(long odd) {
    long x = odd;
    for (int i = 0; i < 6; i++) {
      x *= 2 - odd * x;
    }
    return x;
  }
}
