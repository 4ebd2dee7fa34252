package io.seckill.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SeckillMetricsTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final SeckillMetrics metrics = new SeckillMetrics(registry);

  @Test
  void shouldExportEveryNameBeforeItsFirstEvent() {
    assertThat(registry.scrape())
        .contains("seckill_admitted_total 0.0")
        .contains("seckill_refused_total{reason=\"FAIL_SOLD_OUT\"} 0.0")
        .contains("seckill_throttled_total{limit=\"address\"} 0.0")
        .contains("seckill_throttled_total{limit=\"user\"} 0.0")
        .contains("seckill_throttled_total{limit=\"product\"} 0.0")
        .contains("seckill_throttled_total{limit=\"activity\"} 0.0")
        .contains("seckill_admin_wrong_tokens_total 0.0")
        .contains("seckill_order_latency_seconds_count 0")
        .contains("seckill_orders_total{status=\"SUCCESS\"} 0.0")
        .contains("seckill_dead_letters_total 0.0")
        .contains("seckill_sweeper_actions_total{action=\"RESENT\"} 0.0");
  }

  @Test
  void shouldCountRefusalsByCodeAndUnknownOnesTogether() {
    metrics.refused("THROTTLED");
    metrics.refused("THROTTLED");
    metrics.refused("A_CODE_NOBODY_KNOWS");
    metrics.refused(null);

    assertThat(registry.scrape())
        .contains("seckill_refused_total{reason=\"THROTTLED\"} 2.0")
        .contains("seckill_refused_total{reason=\"OTHER\"} 2.0")
        .doesNotContain("A_CODE_NOBODY_KNOWS");
  }

  @Test
  void shouldTakeAClockBehindRedisForNoTime() {
    metrics.confirmed(5_000, 4_000);
    metrics.confirmed(5_000, 5_250);

    var timer = registry.get("seckill.order.latency").timer();
    assertThat(timer.count()).isEqualTo(2);
    assertThat(timer.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(250);
  }
}
