package io.seckill.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderJsonTest {
  private static final OrderRecord ORDER =
      new OrderRecord(1, RequestId.of(7, 42, "k1").toString(), 7, 42, 2, "k1", 3, "1700-1", 0);

  private final OrderJson json = new OrderJson();

  @Test
  void shouldReadWhatItWrote() throws Exception {
    assertThat(json.read(json.write(ORDER))).isEqualTo(ORDER);
  }

  @Test
  void shouldIgnoreMembersItDoesNotKnow() throws Exception {
    String extended = text().replace("{\"v\"", "{\"colour\":\"red\",\"v\"");
    assertThat(json.read(bytes(extended))).isEqualTo(ORDER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "42",
        "[]",
        "{}",
        "{\"v\":1",
        "no JSON at all",
        "{\"v\":1,\"requestId\":\"7-42-x\",\"productId\":7,\"userId\":42,\"quantity\":1}"
      })
  void shouldRefuseWhatIsNoOrder(String value) {
    assertThatThrownBy(() -> json.read(bytes(value))).isInstanceOf(UnreadableOrderException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"v\":1|\"v\":2",
        "\"quantity\":2|\"quantity\":0",
        "\"quantity\":2|\"quantity\":1.5",
        "\"quantity\":2|\"quantity\":null",
        "\"userId\":42|\"userId\":43",
        "\"userId\":42|\"userId\":-42",
        "\"userId\":42|\"userId\":99999999999999999999",
        "\"productId\":7|\"productId\":0",
        "\"idemKey\":\"k1\"|\"idemKey\":\"K1\"",
        "\"idemKey\":\"k1\"|\"idemKey\":\"k 1\"",
        "\"idemKey\":\"k1\"|\"idemKey\":null",
        "\"outboxId\":\"1700-1\"|\"outboxId\":\"soon\"",
        "\"epoch\":3|\"epoch\":-3"
      })
  void shouldRefuseAnOrderThatContradictsItself(String change) {
    String[] fromTo = change.split("\\|");
    assertThat(text()).contains(fromTo[0]);
    assertThatThrownBy(() -> json.read(bytes(text().replace(fromTo[0], fromTo[1]))))
        .isInstanceOf(UnreadableOrderException.class);
  }

  @Test
  void shouldRefuseTwoValuesInOneRecord() {
    assertThatThrownBy(() -> json.read(bytes(text() + text())))
        .isInstanceOf(UnreadableOrderException.class);
  }

  private String text() {
    return new String(json.write(ORDER), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
