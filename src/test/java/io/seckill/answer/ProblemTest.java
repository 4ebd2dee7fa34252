package io.seckill.answer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ProblemTest {
  private final ObjectMapper json = new ObjectMapper();

  @Test
  void shouldTellARefusal() throws Exception {
    Answer answer =
        Problem.of(
            Refusal.of(409, "FAIL_SOLD_OUT", "Gone.")
                .with("available", 0)
                .with("nothing", null)
                .with("key", "a\"b")
                .retryAfter(3)
                .challenge("Bearer"));

    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.contentType()).isEqualTo("application/problem+json");
    assertThat(answer.headers())
        .containsEntry("Retry-After", "3")
        .containsEntry("WWW-Authenticate", "Bearer");
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"type\":\"/problems/FAIL_SOLD_OUT\",\"title\":\"Conflict\",\"status\":409,"
                + "\"code\":\"FAIL_SOLD_OUT\",\"detail\":\"Gone.\",\"available\":0,\"key\":\"a\\\"b\"}");
    assertThat(json.readTree(answer.body()).path("status").asInt()).isEqualTo(409);
  }

  @Property
  void shouldWriteAnyText(@ForAll String text) throws Exception {
    JsonNode read = json.readTree(new JsonObject().put("a", text).put("b", text).toString());
    assertThat(read.path("a").textValue()).isEqualTo(text);
    assertThat(read.path("b").textValue()).isEqualTo(text);
  }

  @Property
  void shouldWriteAnyNumberAndTruthValue(@ForAll long number, @ForAll boolean truth)
      throws Exception {
    JsonNode read =
        json.readTree(
            new JsonObject()
                .put("n", number)
                .put("o", (Object) number)
                .put("t", (Object) truth)
                .put("x", (Object) null)
                .toBytes());
    assertThat(read.path("n").longValue()).isEqualTo(number);
    assertThat(read.path("o").longValue()).isEqualTo(number);
    assertThat(read.path("t").booleanValue()).isEqualTo(truth);
    assertThat(read.path("x").isNull()).isTrue();
  }
}
