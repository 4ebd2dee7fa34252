package io.seckill.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TracesIT {
  /** A client that asks for a trace of each request gets as many a second as the property says. */
  @Test
  void shouldNotTraceEveryRequestOfAClientThatAsksForIt() throws Exception {
    AtomicInteger spans = new AtomicInteger();
    HttpServer collector = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          String text =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
          spans.addAndGet(text.split("sale-api", -1).length - 1);
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    String endpoint = "http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/traces";
    int asked = 500;
    long begin = System.nanoTime();
    long seconds;
    try (TestApplication application =
        TestApplication.apart(
            "traces",
            11,
            Map.of(
                "seckill.trace.ratio", "0.000001",
                "seckill.trace.callers", "2",
                "seckill.trace.endpoint", endpoint))) {
      Shop shop = application.awaitReady().shop();
      for (int i = 0; i < asked; i++) {
        shop.send(
            shop.request("/seckill/1")
                .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                .GET()
                .build());
      }
      seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) + 1;
    } finally {
      collector.stop(0);
    }
    assertThat((long) spans.get()).isBetween(1L, Math.min(asked - 1, 2 * seconds + 2));
  }

  @Test
  void shouldSendTheSpansOfAPurchaseAndOfTheBatchesItWentThrough() throws Exception {
    Queue<String> received = new ConcurrentLinkedQueue<>();
    HttpServer collector = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          byte[] spans = exchange.getRequestBody().readAllBytes();
          received.add(new String(spans, StandardCharsets.ISO_8859_1));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    String endpoint = "http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/traces";
    try (TestApplication application =
        TestApplication.apart(
            "traces", 11, Map.of("seckill.trace.ratio", "1", "seckill.trace.endpoint", endpoint))) {
      Shop shop = application.awaitReady().shop();
      long product = Products.next();
      shop.createSale(product, 5);
      String requestId = shop.buy(product, 1, "k").requestId();
      assertThat(shop.awaitEnd(1, requestId)).isEqualTo("SUCCESS");

      await()
          .atMost(60, TimeUnit.SECONDS)
          .untilAsserted(
              () ->
                  assertThat(String.join("", received))
                      .contains(
                          "seckill-gateway", "order-api", requestId, "http.response.status_code")
                      .contains("outbox-relay", "order-writer-transaction"));
    } finally {
      collector.stop(0);
    }
  }
}
