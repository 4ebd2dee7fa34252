package io.seckill.bench.run;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Measures the application while one thing grows: products, buyers or instances. */
public final class Growth {
  static final int MOST_INSTANCES = 4;
  private static final List<Integer> PRODUCTS = List.of(1, 10, 100, 1_000);
  private static final List<Long> BUYERS = List.of(10_000L, 100_000L, 1_000_000L);
  private static final double NEARLY = 0.9;

  private final Runs runs;
  private final Plan plan;
  private final ProgressLine progress;
  private final List<Step> steps = new ArrayList<>();

  /**
   * @param grows the thing that grows in this row
   * @param to its size
   * @param firstLimit the resource that was used up first
   */
  public record Step(String grows, long to, Measurement measured, String firstLimit) {}

  Growth(Runs runs, Plan plan, ProgressLine progress) {
    this.runs = runs;
    this.plan = plan;
    this.progress = progress;
    progress.expect(MOST_INSTANCES + PRODUCTS.size() + BUYERS.size());
  }

  void measure(Contender product, int instances)
      throws IOException, InterruptedException, SQLException {
    if (instances == 1) {
      for (int products : PRODUCTS) {
        add("products", products, runs.endToEnd(product, products, 1, plan.orders()));
      }
      for (long buyers : BUYERS) {
        add("buyers of one product", buyers, runs.buyers(product, 1, buyers));
      }
    }
    add("instances", instances, runs.endToEnd(product, 1, 1, plan.orders()));
  }

  List<Step> steps() {
    return List.copyOf(steps);
  }

  private void add(String grows, long to, Measurement measured) {
    int cores = Runtime.getRuntime().availableProcessors();
    steps.add(new Step(grows, to, measured, firstLimit(measured.figures(), cores)));
    progress.step(measured);
  }

  /** Names the first limit by the cores that each part used. */
  static String firstLimit(Map<String, Double> figures, int cores) {
    if (figures.getOrDefault("cores redis", 0.0) >= NEARLY) {
      return "Redis's one thread";
    }
    if (figures.getOrDefault("cores machine", 0.0) >= NEARLY * cores) {
      String most =
          List.of("contender", "redis", "kafka", "mariadb").stream()
              .max((a, b) -> Double.compare(figures.get("cores " + a), figures.get("cores " + b)))
              .orElseThrow();
      return "the machine's CPU, most of it used by "
          + ("contender".equals(most) ? "the application" : most);
    }
    return "no CPU: waiting for answers, locks or the disk";
  }
}
