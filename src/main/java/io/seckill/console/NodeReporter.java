package io.seckill.console;

import io.seckill.console.Overview.Check;
import io.seckill.metrics.SeckillMetrics;
import io.seckill.sale.SaleRegistry;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.health.HealthCheckHelper;

/** Makes this node's report from its counters and health checks. */
final class NodeReporter {
  /** The group of this application's own checks. */
  private static final String OWN = "seckill";

  private final CamelContext context;
  private final SeckillMetrics metrics;
  private final SaleRegistry sales;

  NodeReporter(CamelContext context, SeckillMetrics metrics, SaleRegistry sales) {
    this.context = context;
    this.metrics = metrics;
    this.sales = sales;
  }

  /** Begins or ends counting by product. */
  void count(boolean on) {
    metrics.sales().count(on);
  }

  NodeReport report() {
    Collection<HealthCheck.Result> results = HealthCheckHelper.invoke(context);
    List<Check> checks =
        results.stream()
            .filter(result -> OWN.equals(result.getCheck().getGroup()) || !isUp(result))
            .map(
                result ->
                    new Check(
                        result.getCheck().getId(), isUp(result), result.getMessage().orElse(null)))
            .sorted(Comparator.comparing(Check::name))
            .toList();
    boolean ready =
        results.stream()
            .filter(result -> result.getCheck().isReadiness())
            .allMatch(NodeReporter::isUp);
    return new NodeReport(
        ready,
        checks,
        metrics.relayedSoFar(),
        metrics.endedSoFar(),
        metrics.latencies(),
        metrics.sales().read(product -> sales.find(product).isPresent()));
  }

  private static boolean isUp(HealthCheck.Result result) {
    return result.getState() == HealthCheck.State.UP;
  }
}
