package io.seckill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.domain.OrderJson;
import io.seckill.kafka.ReceivedRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeadLettersTest {
  private final DeadLetters deadLetters = new DeadLetters(new OrderJson());

  @Test
  void shouldReadHeadersThatSomebodyElseHasSetAsMySqlTakesThem() {
    ArrivedDeadLetter arrived =
        read(
            Map.of(
                DeadLetters.SOURCE, bytes("é" + "s".repeat(300)),
                DeadLetters.ATTEMPTS, bytes("many")));
    assertThat(arrived.letter().source()).hasSize(200).startsWith("?s");
    assertThat(arrived.letter().attempts()).isZero();
  }

  @Test
  void shouldKeepWhereAFailedRecordLay() {
    ArrivedDeadLetter arrived = read(Map.of(DeadLetters.SOURCE, bytes("seckill.orders-3@17")));
    assertThat(arrived.letter().source()).isEqualTo("seckill.orders-3@17");
    assertThat(arrived.origin()).isEqualTo("dead-0@7/1700");
    assertThat(arrived.isReadable()).isFalse();
  }

  private ArrivedDeadLetter read(Map<String, byte[]> headers) {
    ReceivedRecord received = new ReceivedRecord("dead", 0, 7, 1_700, bytes("{"), headers);
    return deadLetters.read(List.of(received)).get(0);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
