package io.seckill.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsIT {
  private static final Pattern SAMPLE = Pattern.compile("^([a-zA-Z_:][^ ]*(?:\\{.*\\})?) (\\S+)$");
  private static final Pattern NAME =
      Pattern.compile("\\b(?:seckill|camel|jvm|process|system)_[a-z0-9_]+");

  private final TestApplication application = TestApplication.shared();
  private final Shop shop = application.shop();
  private final long product = Products.next();

  @Test
  void shouldCountWhatBuyersWereAnsweredAndWhatBecameOfIt() {
    Map<String, Double> before = scrape();
    shop.createSale(product, 2);
    String first = shop.buy(product, 1, "a").requestId();
    String second = shop.buy(product, 2, "a").requestId();
    assertThat(shop.buy(product, 1, "a").requestId()).isEqualTo(first);
    assertThat(shop.buy(product, 1, "b").code()).isEqualTo("FAIL_DUPLICATE");
    assertThat(shop.buy(product, 3, "a").code()).isEqualTo("FAIL_SOLD_OUT");
    shop.awaitEnd(1, first);
    shop.awaitEnd(2, second);

    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              Map<String, Double> after = scrape();
              assertMoved(before, after, "seckill_admitted_total", 2);
              assertMoved(before, after, "seckill_replayed_total", 1);
              assertMoved(before, after, "seckill_refused_total{reason=\"FAIL_DUPLICATE\"}", 1);
              assertMoved(before, after, "seckill_refused_total{reason=\"FAIL_SOLD_OUT\"}", 1);
              assertMoved(before, after, "seckill_relayed_total", 2);
              assertMoved(before, after, "seckill_orders_total{status=\"SUCCESS\"}", 2);
              assertMoved(before, after, "seckill_order_latency_seconds_count", 2);
            });
  }

  @Test
  void shouldShowSalesOneByOneAndInSum() {
    shop.createSale(product, 7);

    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () ->
                assertThat(scrape())
                    .containsEntry("seckill_sale_available_units{product=\"" + product + "\"}", 7.0)
                    .containsKeys(
                        "seckill_sale_outbox_entries{product=\"" + product + "\"}",
                        "seckill_sale_outbox_age_seconds{product=\"" + product + "\"}",
                        "seckill_outbox_entries",
                        "seckill_outbox_age_seconds",
                        "seckill_orders_lag",
                        "seckill_breaker_state{breaker=\"redis-requests\"}",
                        "seckill_breaker_state{breaker=\"redis-background\"}",
                        "seckill_ledger_imbalance_units",
                        "seckill_order_latency_seconds_bucket{le=\"+Inf\"}"));
  }

  @Test
  void shouldTimeRoutesAndNotTheirNodes() {
    shop.createSale(product, 1);
    shop.buy(product, 1, "a");

    Map<String, Double> metrics = scrape();

    assertThat(metrics.keySet())
        .anyMatch(name -> name.startsWith("camel_") && name.contains("routeId=\"order-api\""))
        .noneMatch(name -> name.contains("nodeId=") || name.contains("endpointName="));
  }

  @Test
  void shouldCountRoutesWithoutMakingEventsOfExchanges() {
    assertThat(scrape().keySet()).anyMatch(name -> name.startsWith("camel_routes_running"));
    assertThat(
            application.camelContext().getCamelContextExtension().isEventNotificationApplicable())
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"watch/grafana-dashboard.json", "watch/alerts.yml", "watch/README.md"})
  void shouldExportEveryMetricThatIsNamed(String file) throws IOException {
    shop.createSale(product, 1);
    shop.awaitEnd(1, shop.buy(product, 1, "a").requestId());
    Set<String> named = new TreeSet<>();
    Matcher matcher = NAME.matcher(Files.readString(Path.of(file)));
    while (matcher.find()) {
      named.add(matcher.group());
    }
    assertThat(named).isNotEmpty();

    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              Set<String> exported = new TreeSet<>();
              scrape().keySet().forEach(sample -> exported.add(sample.split("\\{")[0]));
              assertThat(exported).containsAll(named);
            });
  }

  private static void assertMoved(
      Map<String, Double> before, Map<String, Double> after, String sample, double atLeast) {
    assertThat(after).containsKey(sample);
    assertThat(after.get(sample) - before.getOrDefault(sample, 0.0))
        .as(sample)
        .isGreaterThanOrEqualTo(atLeast);
  }

  private Map<String, Double> scrape() {
    try {
      String text =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(
                          URI.create(application.managementUrl() + "/observe/metrics"))
                      .build(),
                  BodyHandlers.ofString())
              .body();
      Map<String, Double> samples = new TreeMap<>();
      text.lines()
          .filter(line -> !line.startsWith("#"))
          .map(SAMPLE::matcher)
          .filter(Matcher::matches)
          .forEach(line -> samples.put(line.group(1), Double.valueOf(line.group(2))));
      return samples;
    } catch (IOException e) {
      throw new AssertionError("No metrics", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    }
  }
}
