package io.seckill.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.Test;

class AllowedHostsTest {
  private static final List<String> OF_LOOPBACK =
      List.of("localhost", "LocalHost:8080", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8080");
  private static final List<String> FOREIGN =
      List.of(
          "evil.example",
          "evil.example:8080",
          "localhost.evil.example",
          "127.0.0.1.evil.example",
          "evil.example:localhost",
          "192.0.2.7",
          "[::2]");

  private static void configure(RouteBuilder routes) {
    routes
        .from("platform-http:/loops?platformHttpEngine=#eventLoop")
        .setBody(routes.constant("inside"));
    routes.from("platform-http:/blocks").setBody(routes.constant("inside"));
  }

  @Test
  void shouldAnswerOnLoopbackToItsNamesThere() throws Exception {
    try (HttpFixture server = new HttpFixture(Map.of(), AllowedHostsTest::configure)) {
      assertAnswers(server, OF_LOOPBACK);
      assertRefuses(server, FOREIGN);
    }
  }

  @Test
  void shouldAnswerOnLoopbackToFurtherNamesThatAreConfigured() throws Exception {
    try (HttpFixture server =
        new HttpFixture(
            Map.of("seckill.http.allowed-hosts", "Shop.example, [::2]"),
            AllowedHostsTest::configure)) {
      assertAnswers(server, OF_LOOPBACK);
      assertAnswers(server, List.of("shop.example", "SHOP.example:8080", "[::2]:1"));
      assertRefuses(server, List.of("evil.example", "a.shop.example"));
    }
  }

  @Test
  void shouldAnswerElsewhereToAnyNameUnlessSomeAreConfigured() throws Exception {
    try (HttpFixture any =
        new HttpFixture(Map.of("camel.server.host", "0.0.0.0"), AllowedHostsTest::configure)) {
      assertAnswers(any, List.of("evil.example", "localhost"));
    }
    try (HttpFixture some =
        new HttpFixture(
            Map.of("camel.server.host", "0.0.0.0", "seckill.http.allowed-hosts", "shop.example"),
            AllowedHostsTest::configure)) {
      assertAnswers(some, List.of("shop.example", "shop.example:8080"));
      assertRefuses(some, List.of("evil.example", "localhost"));
    }
  }

  private static void assertAnswers(HttpFixture server, List<String> hosts) throws Exception {
    for (String host : hosts) {
      for (String path : new String[] {"/loops", "/blocks"}) {
        assertThat(get(server, path, host)).as(host).startsWith("HTTP/1.1 200 ");
      }
    }
  }

  private static void assertRefuses(HttpFixture server, List<String> hosts) throws Exception {
    for (String host : hosts) {
      for (String path : new String[] {"/loops", "/blocks", "/admin/sales", "/nothing"}) {
        assertThat(get(server, path, host))
            .as(host)
            .startsWith("HTTP/1.1 4")
            .contains("application/problem+json")
            .doesNotContain("inside");
      }
    }
  }

  private static String get(HttpFixture server, String path, String host) throws Exception {
    return RawHttp.exchange(
        server.port(),
        "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
  }
}
