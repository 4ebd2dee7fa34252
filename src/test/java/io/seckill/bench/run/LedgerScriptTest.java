package io.seckill.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerScriptTest {
  @Test
  void shouldFindInThisBuildsScriptWhatABookIsJudgedBy() throws IOException {
    LedgerScript script = LedgerScript.of(new Build(Path.of("target/classes"), ""));

    assertThat(script.keys(7)).contains("seckill:{7}:sale", "seckill:{7}:outbox");
    assertThat(script.replyNames())
        .contains(
            "initial", "restocked", "available", "pending", "sold", "writtenOff", "outboxLength");
  }

  @Test
  void shouldReadAnotherLayoutFromItsHeader() throws IOException {
    LedgerScript script =
        LedgerScript.parse(
            """
            -- The book.
            --
            -- KEYS  1 book, 2 stream (one hash tag)
            -- Returns
            --   {1, sold, pending,
            --    outboxLength}
            """);
    List<Object> reply = new ArrayList<>(List.of(1L, 40L, 2L, 3L));

    assertThat(script.keys(7)).containsExactly("seckill:{7}:book", "seckill:{7}:stream");
    assertThat(script.amount(reply, "sold")).isEqualTo(40);
    assertThat(script.amount(reply, "outboxLength")).isEqualTo(3);
    assertThat(script.amount(Collections.singletonList(-1L), "sold")).isZero();
    assertThatThrownBy(() -> script.amount(reply, "initial")).hasMessageContaining("initial");
  }

  @Test
  void shouldRefuseAScriptWithoutAHeader() {
    assertThatThrownBy(() -> LedgerScript.parse("return {-1}"))
        .hasMessageContaining("does not list KEYS");
  }
}
