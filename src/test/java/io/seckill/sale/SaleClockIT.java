package io.seckill.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.drill.agent.ShiftedClock;
import io.seckill.testing.LogCapture;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node whose clock is an hour off, beside servers whose clocks are right. */
class SaleClockIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int REDIS_DATABASE = 11;

  private final long over = Products.next();
  private final long on = Products.next();
  private final long coming = Products.next();

  @ParameterizedTest
  @CsvSource({"full, 1", "full, -1", "minimal, 1", "minimal, -1"})
  void shouldTellAndJudgeWindowsByTheClockOfTheServerThatDecides(String mode, int hours)
      throws Exception {
    Map<String, String> properties = new HashMap<>();
    properties.put("seckill.mode", mode);
    properties.put("camel.beans.clock", "#class:" + ShiftedClock.class.getName());
    try (LogCapture log = LogCapture.begin();
        TestApplication application =
            TestApplication.apart("clock" + mode, REDIS_DATABASE, properties)) {
      Shop shop = application.awaitReady().shop();
      ShiftedClock clock =
          application.camelContext().getRegistry().lookupByNameAndType("clock", ShiftedClock.class);
      clock.shift(hours * HOUR.toMillis());
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(log.of(SaleClock.class.getName()))
                      .anySatisfy(
                          event ->
                              assertThat(event.getMessage().getFormattedMessage())
                                  .contains("The clock of this node differs")));
      Instant now = Instant.now();
      create(shop, over, now.minus(HOUR.multipliedBy(3)), now.minusSeconds(30));
      create(shop, on, now.minusSeconds(30), now.plus(HOUR.multipliedBy(3)));
      create(shop, coming, now.plusSeconds(1_800), now.plus(HOUR.multipliedBy(3)));

      assertThat(shop.sale(over).member("state")).isEqualTo("ENDED");
      assertThat(shop.buy(over, 1).code()).isEqualTo("FAIL_ENDED");
      assertThat(shop.sale(on).member("state")).isEqualTo("ON_SALE");
      assertThat(shop.buy(on, 1).status()).isEqualTo(202);
      assertThat(shop.sale(coming).member("state")).isEqualTo("SCHEDULED");
      assertThat(shop.buy(coming, 1).code()).isEqualTo("FAIL_NOT_STARTED");
      assertThat(Instant.parse(shop.sale(on).member("serverTime")))
          .isBetween(now.minusSeconds(10), Instant.now().plusSeconds(10));
      assertThat(offset(application)).isBetween(hours * 3_600.0 - 10, hours * 3_600.0 + 10);
    }
  }

  private static void create(Shop shop, long product, Instant startsAt, Instant endsAt) {
    Shop.Reply created =
        shop.createSale(
            product,
            Map.of("name", "timed", "stock", 5, "startsAt", "" + startsAt, "endsAt", "" + endsAt));
    assertThat(created.status()).as(created.text()).isEqualTo(201);
  }

  private static double offset(TestApplication application)
      throws IOException, InterruptedException {
    URI metrics = URI.create(application.managementUrl() + "/observe/metrics");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith("seckill_clock_offset_seconds"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }
}
