package io.seckill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class BarrierTest {
  private static final TopicPartition FIRST = new TopicPartition("orders", 0);
  private static final TopicPartition SECOND = new TopicPartition("orders", 1);

  private final Barrier barrier = new Barrier("orders", "writers", Map.of(FIRST, 10L, SECOND, 0L));

  @Test
  void shouldBePassedWhenEveryPartitionCameToItsEnd() {
    assertThat(barrier.isPassedBy(Map.of(FIRST, 10L, SECOND, 0L))).isTrue();
    assertThat(barrier.isPassedBy(Map.of(FIRST, 11L, SECOND, 5L))).isTrue();
  }

  @Test
  void shouldNotBePassedWhileOnePartitionIsBehind() {
    assertThat(barrier.isPassedBy(Map.of(FIRST, 9L, SECOND, 7L))).isFalse();
  }

  @Test
  void shouldTakeAPartitionNeverCommittedAsUnread() {
    assertThat(barrier.isPassedBy(Map.of(FIRST, 10L))).isTrue();
    assertThat(barrier.isPassedBy(Map.of(SECOND, 0L))).isFalse();
  }

  @Test
  void shouldNotWaitForWhatTheTopicHasLost() {
    Barrier cut = barrier.cutTo(Map.of(FIRST, 8L, SECOND, 4L));
    assertThat(cut.ends()).isEqualTo(Map.of(FIRST, 8L, SECOND, 0L));
    assertThat(cut.isPassedBy(Map.of(FIRST, 8L))).isTrue();
    assertThat(cut.isPassedBy(Map.of(FIRST, 7L))).isFalse();
    assertThat(barrier.cutTo(Map.of())).isEqualTo(barrier);
  }
}
