package io.seckill.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressTest {
  private static final String PROXY = "10.0.0.1";
  private static final String XFF = "X-Forwarded-For";
  private static final ClientAddress OF_CONNECTION = new ClientAddress(0, XFF);

  @Test
  void shouldBelieveNoHeaderWithoutATrustedProxy() {
    assertThat(OF_CONNECTION.of(request(PROXY, XFF, "192.0.2.1", "Forwarded", "for=192.0.2.1")))
        .isEqualTo(number(PROXY));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | 192.0.2.7",
        "1 | 6.6.6.6, 192.0.2.7",
        "1 | 192.0.2.7:4711",
        "2 | 6.6.6.6, 192.0.2.7 , 10.0.0.9",
        "2 | 192.0.2.7,unknown",
        "2 | ::ffff:192.0.2.7, 10.0.0.9"
      })
  void shouldTakeTheAddressThatTheOutermostTrustedProxySaw(int proxies, String header) {
    assertThat(new ClientAddress(proxies, XFF).of(request(PROXY, XFF, header)))
        .isEqualTo(number("192.0.2.7"));
  }

  @Test
  void shouldReadTheLinesOfAHeaderAsOneList() {
    assertThat(new ClientAddress(2, XFF).of(request(PROXY, XFF, "192.0.2.7", XFF, "10.0.0.9")))
        .isEqualTo(number("192.0.2.7"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "unknown", "_hidden", "for=192.0.2.7", "192.0.2.256", "[", "1,,"})
  void shouldTakeTheConnectionsWhereTheHeaderGivesNone(String header) {
    assertThat(new ClientAddress(1, XFF).of(request(PROXY, XFF, header))).isEqualTo(number(PROXY));
  }

  @Test
  void shouldTakeTheConnectionsWhereProxiesAreMissing() {
    assertThat(new ClientAddress(1, XFF).of(request(PROXY))).isEqualTo(number(PROXY));
    assertThat(new ClientAddress(2, XFF).of(request(PROXY, XFF, "192.0.2.7")))
        .isEqualTo(number(PROXY));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "for=192.0.2.7",
        "For=\"192.0.2.7:80\";proto=http;by=203.0.113.43",
        "for=6.6.6.6, proto=https;for=192.0.2.7",
        "for=6.6.6.6;host=\"a,b\\\",c\", host=\"d,e\"; for=192.0.2.7"
      })
  void shouldReadForwarded(String header) {
    ClientAddress address = new ClientAddress(1, "forwarded");
    assertThat(address.of(request(PROXY, "Forwarded", header, XFF, "6.6.6.6")))
        .isEqualTo(number("192.0.2.7"));
  }

  @Test
  void shouldReadForwardedOfIpv6() {
    ClientAddress address = new ClientAddress(1, "Forwarded");
    assertThat(address.of(request(PROXY, "Forwarded", "for=\"[2001:db8:cafe::17]:4711\"")))
        .isEqualTo(number("2001:db8:cafe::1"));
    assertThat(address.of(request(PROXY, "Forwarded", "by=1.2.3.4"))).isEqualTo(number(PROXY));
  }

  @Test
  void shouldGroupIpv6ByTheirPrefixOf64Bits() {
    long one = number("2001:db8:1:2:aaaa::1");
    assertThat(number("2001:db8:1:2:ffff:ffff:ffff:ffff")).isEqualTo(one);
    assertThat(number("2001:db8:1:3::1")).isNotEqualTo(one);
    assertThat(number("::ffff:192.0.2.7")).isEqualTo(number("192.0.2.7"));
    assertThat(number("192.0.2.8")).isNotEqualTo(number("192.0.2.7"));
    assertThat(number("::1")).isNotEqualTo(number("0.0.0.0"));
  }

  @Test
  void shouldRefuseSettingsThatMakeNoSense() {
    assertThatIllegalArgumentException().isThrownBy(() -> new ClientAddress(-1, XFF));
    assertThatIllegalArgumentException().isThrownBy(() -> new ClientAddress(1, "X-Real-IP"));
  }

  private static long number(String address) {
    return OF_CONNECTION.of(request(address));
  }

  private static Request request(String remote, String... headers) {
    MultiMap all = MultiMap.caseInsensitiveMultiMap();
    for (int i = 0; i < headers.length; i += 2) {
      all.add(headers[i], headers[i + 1]);
    }
    return new Request(
        "POST",
        "/seckill/8",
        Map.of(),
        all,
        null,
        Buffer.buffer(),
        SocketAddress.inetSocketAddress(4711, remote),
        task -> {});
  }
}
