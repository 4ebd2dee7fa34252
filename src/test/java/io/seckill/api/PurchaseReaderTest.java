package io.seckill.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.seckill.answer.Refusal;
import io.seckill.domain.ClientKey;
import io.seckill.domain.PositiveId;
import io.seckill.domain.Purchase;
import io.seckill.domain.RequestId;
import io.seckill.http.Request;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

public class PurchaseReaderTest {
  private final PurchaseReader reader = new PurchaseReader();

  @Test
  void shouldReadAPurchase() {
    Purchase purchase =
        reader.read(
            request("8", "{\"quantity\": 3}", "Idempotency-Key", "k:1", "Content-Type", JSON), 7);

    assertThat(purchase)
        .isEqualTo(new Purchase(8, 7, "k:1", 3, RequestId.of(8, 7, "k:1").toString()));
  }

  @Test
  void shouldTakeOneUnitUnderARandomKeyByDefault() {
    Purchase one = reader.read(request("8", ""), 7);
    Purchase other = reader.read(request("8", ""), 7);

    assertThat(one.quantity()).isEqualTo(1);
    assertThat(ClientKey.parse(one.idemKey())).contains(one.idemKey());
    assertThat(one.idemKey()).isNotEqualTo(other.idemKey());
  }

  @ParameterizedTest
  @CsvSource({
    "1,1",
    "9223372036854775807,9223372036854775807",
    "0,0",
    "00,0",
    "01,0",
    "-1,0",
    "+1,0",
    "1 ,1",
    "9223372036854775808,0",
    "18446744073709551617,0",
    "99999999999999999999,0",
    "1a,0",
    "١,0"
  })
  void shouldKnowIdsFromOtherTexts(String text, long id) {
    assertThat(PositiveId.parse(text)).isEqualTo(id);
  }

  @Test
  void shouldNotTakeNothingForAnId() {
    assertThat(PositiveId.parse(null)).isEqualTo(PositiveId.INVALID);
    assertThat(PositiveId.parse("")).isEqualTo(PositiveId.INVALID);
    assertThat(PositiveId.parse(" 1")).isEqualTo(PositiveId.INVALID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"azAZ09._:-", "x", "1234567890123456789012345678901234567890"})
  void shouldTakeAKeyAsItIsAndInQuotesForTheSame(String key) {
    assertThat(ClientKey.parse(key)).contains(key);
    assertThat(ClientKey.parse('"' + key + '"')).contains(key);
    assertThat(reader.read(request("8", "", "Idempotency-Key", '"' + key + '"'), 7))
        .isEqualTo(reader.read(request("8", "", "Idempotency-Key", key), 7));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "a b",
        "a|b",
        "a/b",
        "ä",
        "a\n",
        "a%",
        "\u0000",
        "12345678901234567890123456789012345678901",
        "\"",
        "\"\"",
        "\"a",
        "a\"",
        "\"\"a\"\"",
        "\"a\"b\"",
        "\"a\\\"",
        "\"\\a\"",
        "\" a\"",
        "\"ä\"",
        "\"a\";p=1",
        "\"a\",\"b\"",
        "\"12345678901234567890123456789012345678901\"",
        "'a'",
        "\u201ca\u201d"
      })
  void shouldRefuseMalformedKeys(String key) {
    assertThat(ClientKey.parse(key)).isEmpty();
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class, () -> reader.read(request("8", "", "Idempotency-Key", key), 7));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.code()).isEqualTo("INVALID_REQUEST");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "}",
        "[1]",
        "\"quantity\"",
        "{\"quantity\":0}",
        "{\"quantity\":true}",
        "{\"quantity\":[1]}",
        "{\"quantity\":1e2}",
        "{\"quantity\":99999999999999999999}",
        "{\"quantity\":1}x",
        "{'quantity':1}",
        "{\"quantity\":1,}",
        "{\"a\":1,\"a\":2}"
      })
  void shouldRefuseMalformedBodies(String body) {
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class, () -> reader.read(request("8", body, "Content-Type", JSON), 7));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.code()).isEqualTo("INVALID_REQUEST");
  }

  @Test
  void shouldRefuseInvalidUtf8() {
    Request request =
        new Request(
            "POST",
            "/seckill/8",
            Map.of("productId", "8"),
            MultiMap.caseInsensitiveMultiMap().add("Content-Type", JSON),
            null,
            Buffer.buffer(new byte[] {'{', '"', (byte) 0xC3, (byte) 0x28, '"', ':', '1', '}'}),
            SocketAddress.inetSocketAddress(1, "192.0.2.1"),
            task -> {});
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> reader.read(request, 7));
    assertThat(refusal.status()).isEqualTo(400);
  }

  @Test
  void shouldRefuseDeepNesting() {
    String deep = "{\"a\":" + "[".repeat(2000) + "]".repeat(2000) + "}";
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class, () -> reader.read(request("8", deep, "Content-Type", JSON), 7));
    assertThat(refusal.status()).isEqualTo(400);
  }

  @Test
  void shouldRefuseTwoKeys() {
    Request request = request("8", "", "Idempotency-Key", "a", "Idempotency-Key", "b");
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> reader.read(request, 7));
    assertThat(refusal.status()).isEqualTo(400);
  }

  private static final String JSON = "application/json";

  public static Request request(String productId, String body, String... headers) {
    MultiMap all = MultiMap.caseInsensitiveMultiMap();
    for (int i = 0; i < headers.length; i += 2) {
      all.add(headers[i], headers[i + 1]);
    }
    return new Request(
        "POST",
        "/seckill/" + productId,
        Map.of("productId", productId),
        all,
        null,
        Buffer.buffer(body),
        SocketAddress.inetSocketAddress(1, "192.0.2.1"),
        task -> {});
  }
}
