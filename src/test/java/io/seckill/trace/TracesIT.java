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
import org.junit.jupiter.api.Test;

class TracesIT {
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
