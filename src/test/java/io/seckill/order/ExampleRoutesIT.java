package io.seckill.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.testing.Document;
import io.seckill.testing.LogCapture;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The routes of {@code src/main/routes/examples}, loaded as docs/EXTENDING.md says. */
class ExampleRoutesIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern INCLUDED =
      Pattern.compile("-Dcamel\\.main\\.routesIncludePattern='([^']+)'");

  private static String shown() {
    Matcher found =
        INCLUDED.matcher(String.join("\n", Document.of("docs/EXTENDING.md").commands("mvn")));
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  @Test
  void shouldTellTheLogWhatBecameOfAReservation() {
    Map<String, String> properties =
        Map.of(
            "seckill.results", "on",
            "seckill.results.topic", "seckill.results.examples",
            "camel.main.routesIncludePattern", shown());
    try (LogCapture log = LogCapture.begin();
        TestApplication application = TestApplication.apart("examples", 11, properties)) {
      Shop shop = application.awaitReady().shop();
      long product = Products.next();
      shop.openSale(product, 5);
      String id = shop.buy(product, 7).requestId();

      await()
          .atMost(LIMIT)
          .until(
              () ->
                  log.of("results-log").stream()
                      .map(line -> line.getMessage().getFormattedMessage())
                      .anyMatch(
                          line ->
                              line.startsWith("io.seckill.order.success " + id + " {")
                                  && line.contains("\"userId\":7")));
    }
  }

  @Test
  void shouldNotBeLoadedByThemselves() {
    assertThat(TestApplication.shared().camelContext().getRoute("results-log")).isNull();
    assertThat(TestApplication.shared().camelContext().getRoute("webhooks-queue")).isNull();
  }
}
