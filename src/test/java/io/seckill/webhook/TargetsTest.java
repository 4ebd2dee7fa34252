package io.seckill.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetsTest {
  private static final String PUBLIC = "93.184.215.14";

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /** Where every name has these addresses. */
  private static Targets where(boolean http, boolean privateAddresses, String... addresses) {
    return new Targets(
        http,
        privateAddresses,
        host -> List.of(addresses).stream().map(TargetsTest::address).toArray(InetAddress[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "127.1.2.3",
        "169.254.169.254",
        "172.16.0.0",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd12::1",
        "ff02::1",
        "64:ff9b::7f00:1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "3fff::1",
        "5f00::1",
        "::ffff:10.0.0.1"
      })
  void shouldKnowAddressesThatAreNotPublic(String text) {
    assertThat(PublicAddresses.contains(address(text))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.1.1.1",
        "128.0.0.1", "169.253.1.1", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.1.1",
        "198.17.1.1", "198.20.0.1", "223.255.255.255", "2606:4700::1111", "2001:4860::8888"
      })
  void shouldKnowPublicAddresses(String text) {
    assertThat(PublicAddresses.contains(address(text))).isTrue();
  }

  @Test
  void shouldRefuseAHostThatHasAPrivateAddressBesideAPublicOne() {
    assertThatThrownBy(() -> where(false, false, PUBLIC, "10.0.0.1").judge("https://a.example/"))
        .isInstanceOf(ForbiddenTargetException.class);
  }

  @Test
  void shouldTakeHttpsAlone() throws Exception {
    Targets targets = where(false, false, PUBLIC);
    assertThat(targets.judge("https://a.example:8443/x?y=1").port()).isEqualTo(8443);
    assertThat(targets.judge("HTTPS://a.example").isTls()).isTrue();
    assertThatThrownBy(() -> targets.judge("http://a.example/"))
        .isInstanceOf(ForbiddenTargetException.class)
        .hasMessageContaining("https");
  }

  @Test
  void shouldTakePathAndQueryAsTheyAre() throws Exception {
    Targets targets = where(true, false, PUBLIC);
    assertThat(targets.judge("http://a.example/a%2Fb?c=%20").path()).isEqualTo("/a%2Fb?c=%20");
    assertThat(targets.judge("http://a.example?c").path()).isEqualTo("/?c");
    assertThat(targets.judge("http://a.example").port()).isEqualTo(80);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a.example",
        "//a.example/",
        "https:",
        "https:///x",
        "https://a.example:0/",
        "https://a.example:99999/",
        "https://u@a.example/",
        "https://a.example/#",
        "https://a b/",
        "https://a_b.example/",
        "gopher://a.example/",
        "https://a.example/\u00e4"
      })
  void shouldRefuseWhatIsNoAddressOfAnEndpoint(String url) {
    assertThatThrownBy(() -> where(true, true, PUBLIC).judge(url))
        .isInstanceOf(ForbiddenTargetException.class);
  }
}
