package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.book.script.RebuildCloseReply.Absent;
import io.seckill.book.script.RebuildCloseReply.Closed;
import io.seckill.redis.ScriptCall;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PendingSearchTest {
  @Test
  void shouldLookAtNothingWithoutABook() {
    assertThat(new PendingSearch(1, new Absent(0)).isMore()).isFalse();
  }

  @Test
  void shouldSkipNoneWhenSomeMoveToTheEnd() {
    PendingSearch search = new PendingSearch(1, new Closed(0, 700, 1, 1234));
    assertThat(search.next().arguments()).containsExactly("1234", "500", "0");

    List<String> page = IntStream.range(0, 500).mapToObj(Integer::toString).toList();
    Set<String> known = Set.copyOf(IntStream.range(0, 480).mapToObj(Integer::toString).toList());
    List<ScriptCall> resends = search.resends(page, known);

    assertThat(resends).hasSize(20);
    assertThat(resends.get(0).arguments()).containsExactly("480");
    assertThat(search.isMore()).isTrue();
    assertThat(search.next().arguments()).containsExactly("1234", "500", "480");
    search.resends(List.of(), Set.of());
    assertThat(search.isMore()).isFalse();
    assertThat(search.getSentAgain()).isEqualTo(20);
  }
}
