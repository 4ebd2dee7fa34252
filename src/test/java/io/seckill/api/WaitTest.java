package io.seckill.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.answer.Refusal;
import io.seckill.http.Request;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WaitTest {

  @ParameterizedTest
  @CsvSource({"wait=1,1", "wait=30,30", "idemKey=a&wait=07,7"})
  void shouldReadTheParameter(String query, int seconds) {
    Wait wait = Wait.read(request(query, List.of("wait=9")));
    assertThat(wait.seconds()).isEqualTo(seconds);
    assertThat(wait.preferred()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "wait=20",
        "WAIT=20",
        "wait = 20",
        "wait=\"20\"",
        "respond-async, wait=20",
        "return=minimal; foo=\"a, wait=3\", wait=20, wait=4",
        "handling=lenient;wait=3,wait=20",
        "wait=20; foo=bar",
        " , wait=20 ,"
      })
  void shouldReadThePreference(String header) {
    Wait wait = Wait.read(request(null, List.of(header)));
    assertThat(wait.seconds()).isEqualTo(20);
    assertThat(wait.preferred()).isTrue();
    assertThat(Wait.preferred(request("wait=3", List.of("respond-async", header))).seconds())
        .isEqualTo(20);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"respond-async", "return=minimal", "await=20", "x; wait=20", "wait=0", ""})
  void shouldNotWaitUnlessAsked(String header) {
    assertThat(Wait.read(request("wait=0", List.of(header)))).isNull();
    assertThat(Wait.preferred(request(null, List.of(header)))).isNull();
    assertThat(Wait.preferred(request(null, List.of()))).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"wait=", "wait=-1", "wait=31", "wait=1.5", "wait=x", "wait=1&wait=1"})
  void shouldRefuseAMalformedParameter(String query) {
    assertRefused(() -> Wait.read(request(query, List.of())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"wait", "wait=", "wait=-1", "wait=31", "wait=20s", "wait=\"\""})
  void shouldRefuseAMalformedPreference(String header) {
    assertRefused(() -> Wait.preferred(request(null, List.of(header))));
    assertRefused(() -> Wait.read(request(null, List.of(header))));
  }

  @Test
  void shouldReadALongHeaderInAShortTime() {
    assertThat(Wait.preferred(request(null, List.of("a;\"".repeat(2_000))))).isNull();
    assertThat(Wait.preferred(request(null, List.of(",".repeat(7_000) + "=")))).isNull();
  }

  private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable read) {
    assertThatThrownBy(read)
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo("INVALID_REQUEST"))
        .hasMessageContaining("0 to 30");
  }

  private static Request request(String query, List<String> preferences) {
    return new Request(
        "GET",
        "/seckill/result",
        Map.of(),
        MultiMap.caseInsensitiveMultiMap().add("Prefer", preferences),
        query,
        Buffer.buffer(),
        SocketAddress.inetSocketAddress(1, "192.0.2.1"),
        task -> {});
  }
}
