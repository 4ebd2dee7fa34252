package io.seckill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.domain.OrderRecord;
import io.seckill.redis.ScriptCall;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OutboxEntryTest {
  @Test
  void shouldReadWhatTheScriptsWrite() {
    List<String> fields =
        List.of(
            "requestId",
            "5-7-h",
            "userId",
            "7",
            "idemKey",
            "k",
            "quantity",
            "2",
            "epoch",
            "3",
            "resent",
            "1");
    assertThat(OutboxEntry.of(5, "10-0", fields))
        .isEqualTo(
            new OutboxEntry(5, "10-0", new OrderRecord(1, "5-7-h", 5, 7, 2, "k", 3, "10-0", 1)));
    assertThatThrownBy(() -> OutboxEntry.of(5, "10-0", fields.subList(0, 10)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OutboxEntry.of(5, "10-0", List.of("quantity", "x")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldAcknowledgePerProductInPortionsTheScriptTakes() {
    List<OutboxEntry> entries =
        LongStream.range(0, 4_501)
            .mapToObj(i -> new OutboxEntry(i % 2 == 0 ? 1 : 2, i + "-0", null))
            .toList();
    List<ScriptCall> calls = OutboxEntry.acknowledgements("relay", entries);
    assertThat(calls.stream().map(ScriptCall::productId)).containsExactly(1L, 1L, 2L, 2L);
    assertThat(calls).allSatisfy(call -> assertThat(call.arguments()[0]).isEqualTo("relay"));
    assertThat(calls.stream().mapToInt(call -> call.arguments().length - 1))
        .containsExactly(2_000, 251, 2_000, 250);
    assertThat(OutboxEntry.acknowledgements("relay", List.of())).isEmpty();
  }
}
