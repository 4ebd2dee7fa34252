package io.seckill.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.seckill.bench.run.Measurement;
import io.seckill.bench.run.Measurement.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BenchReportTest {
  private static final Map<String, Double> LATENCY =
      Map.of("p50", 1.0, "p90", 2.0, "p99", 30.0, "p99.9", 31.0, "max", 40.0);

  @Test
  void shouldTakeTheMedianOfWhatFollowedEachOther() {
    BenchReport report =
        report(
            run("product-front", 1, 90),
            run("hand-written", 1, 100),
            run("product-front", 2, 40),
            run("hand-written", 2, 20),
            run("product-front", 3, 110),
            run("hand-written", 3, 100));

    Ratio ratio = report.ratios().get(0);

    assertThat(ratio.name()).isEqualTo("accepted_vs_handwritten");
    assertThat(ratio.byRound()).containsExactly(0.9, 2.0, 1.1);
    assertThat(ratio.median()).hasValue(1.1);
  }

  @Test
  void shouldPutTheBuildsCpuInRelation() throws Exception {
    BenchReport report =
        report(run("product-front", 1, 90, 20, 6), run("before-front", 1, 100, 40, 8));

    JsonNode json = new ObjectMapper().readTree(JsonReport.write(report));

    assertThat(json.at("/ratios/accepted_vs_before").asDouble()).isEqualTo(0.9);
    assertThat(json.at("/cpu_ratios/accepted_vs_before").asDouble()).isEqualTo(0.5);
    assertThat(json.at("/cpu_ratios/reserve_cpu_vs_before").asDouble()).isEqualTo(0.75);
    assertThat(json.at("/cpu_ratios/end_to_end_vs_before").isNull()).isTrue();
    assertThat(json.at("/cpu_ratios/low_rate_cpu_vs_before").isNull()).isTrue();
  }

  @Test
  void shouldTellWhatWaitingCostsAndBringsInTheSameRound() throws Exception {
    BenchReport report =
        report(
            atHalfLoad(Path.OPEN_END_TO_END, 1, 300, 40),
            atHalfLoad(Path.WAITING, 1, 60, 20),
            atHalfLoad(Path.UNASKED, 1, 0, 16),
            atHalfLoad(Path.OPEN_END_TO_END, 2, 100, 40));

    JsonNode json = new ObjectMapper().readTree(JsonReport.write(report));

    assertThat(json.at("/waiting_ratios/waiting_p99_vs_polling").asDouble()).isEqualTo(0.2);
    assertThat(json.at("/waiting_ratios/waiting_cpu_vs_unasked").asDouble()).isEqualTo(1.25);
    assertThat(json.at("/success_p99_ms").asDouble()).isEqualTo(200);
    assertThat(report.markdown())
        .contains("waiting_p99_vs_polling: 0.20 (goal: at most 0.5)")
        .contains("waiting_cpu_vs_unasked: 1.25 (goal: at most 1.35)");
    assertThat(report.html()).contains("buyers who wait");
  }

  @Test
  void shouldConcludeFromRoundsThatAgreeOrLieOnOneSide() {
    assertThat(accepted(0.98, 1.0, 1.04).isConclusive()).isTrue();
    assertThat(accepted(1.1, 1.4, 1.9, 1.2, 1.3).isConclusive()).isTrue();
    assertThat(accepted(1.1, 1.4, 1.9).isConclusive()).isFalse();
    assertThat(accepted(0.8, 1.0, 1.3).isConclusive()).isFalse();
    assertThat(accepted(0.5, 0.98, 1.0, 1.04, 3.0).isConclusive()).isTrue();
    assertThat(accepted(1.5).isConclusive()).isFalse();
    assertThat(accepted().isConclusive()).isFalse();
  }

  private static Ratio accepted(double... ratios) {
    Measurement[] measurements = new Measurement[2 * ratios.length];
    for (int i = 0; i < ratios.length; i++) {
      measurements[2 * i] = run("product-front", i + 1, 100 * ratios[i]);
      measurements[2 * i + 1] = run("hand-written", i + 1, 100);
    }
    return report(measurements).ratios().get(0);
  }

  @Test
  void shouldWriteEveryRatioAsANumberOrNullWithItsReason() throws Exception {
    BenchReport report =
        new BenchReport(
            Map.of("cores", "2"),
            List.of(run("product-front", 1, 90), run("hand-written", 1, 100)),
            Map.of("product-b", "it did not start"),
            Map.of());

    JsonNode json = new ObjectMapper().readTree(JsonReport.write(report));

    assertThat(json.get("ratios").fieldNames())
        .toIterable()
        .containsExactly(
            "accepted_vs_handwritten",
            "accepted_vs_tuned",
            "sold_out_vs_handwritten",
            "sold_out_vs_gated",
            "end_to_end_vs_pipeline",
            "end_to_end_vs_conditional",
            "b_vs_a",
            "accepted_vs_before",
            "accepted_10_vs_before",
            "accepted_100_vs_before",
            "sold_out_vs_before",
            "duplicate_vs_before",
            "result_vs_before",
            "end_to_end_vs_before",
            "end_to_end_10_vs_before",
            "end_to_end_100_vs_before");
    assertThat(json.at("/ratios/accepted_vs_handwritten").asDouble()).isEqualTo(0.9);
    assertThat(json.at("/ratios/b_vs_a").isNull()).isTrue();
    assertThat(json.at("/ratio_details/b_vs_a/reason").asText()).isEqualTo("it did not start");
    assertThat(json.at("/runs/1/per_second").asDouble()).isEqualTo(100);
  }

  @Test
  void shouldReportABreachButNotThatOfTheBaselineThatOversells() throws Exception {
    Measurement naive = breached("naive", "I3: 1 oversold 7 units");
    Measurement product = breached("product", "I3: 2 oversold 1 units");

    assertThat(report(naive).breaches()).isEmpty();
    assertThat(report(naive, product).breaches())
        .containsExactly("product, accepted: I3: 2 oversold 1 units");
    assertThat(report(product).markdown()).contains("Invariants were breached");
    assertThat(report(product).html()).contains("Invariants were breached");
  }

  @Test
  void shouldDrawAPageThatLoadsNothing() throws Exception {
    String page = report(run("product-front", 1, 90), run("tuned", 1, 100)).html();

    assertThat(page)
        .contains("application/json", "uPlot", "tuned hand-written server (a2)", "0.90")
        .doesNotContain("src=", "href=", "url(", "@import");
  }

  @Test
  void shouldBeginWithTheResultInOneSentence() throws Exception {
    BenchReport report =
        report(
            run("product-front", 1, 90),
            run("tuned", 1, 100),
            run("product-front", 2, 96),
            run("tuned", 2, 100));

    assertThat(report.headline())
        .isEqualTo(
            "In a second, the application accepts 0.93 times as many purchases as the tuned"
                + " hand-written server (a2).");
    assertThat(report.markdown()).contains(report.headline(), "different rounds");
    assertThat(report().headline()).contains("nothing to compare");
  }

  @Test
  void shouldWriteTheWholeReportAsText() throws Exception {
    String text = report(run("product-front", 1, 90), run("tuned", 1, 1234)).markdown();

    assertThat(text)
        .contains(
            "| tuned hand-written server (a2) | 1,234 | 1,234 |",
            """
            | application, request path | answer | 1.0 | 2.0 | 30.0 | 31.0 | 40.0 |
            | tuned hand-written server (a2) | answer | 1.0 | 2.0 | 30.0 | 31.0 | 40.0 |
            """);
  }

  private static BenchReport report(Measurement... measurements) {
    return new BenchReport(Map.of("cores", "2"), List.of(measurements), Map.of(), Map.of());
  }

  private static Measurement run(String contender, int round, double perSecond) {
    return measurement(contender, round, perSecond, Map.of(), List.of());
  }

  private static Measurement run(
      String contender, int round, double perSecond, double cpu, double redisCpu) {
    Map<String, Double> figures = Map.of(Ratio.CPU, cpu, Ratio.REDIS_CPU, redisCpu);
    return measurement(contender, round, perSecond, figures, List.of());
  }

  private static Measurement breached(String contender, String breach) {
    return measurement(contender, 1, 1, Map.of(), List.of(breach));
  }

  private static Measurement atHalfLoad(Path path, int round, double p99, double cpu) {
    return new Measurement(
        path,
        "product",
        1,
        round,
        "open model",
        100,
        Map.of(Ratio.CPU, cpu),
        Map.of(202, 10L),
        LATENCY,
        path == Path.UNASKED
            ? Map.of()
            : Map.of("p50", 1.0, "p90", 2.0, "p99", p99, "p99.9", p99, "max", p99),
        List.of(),
        List.of());
  }

  private static Measurement measurement(
      String contender,
      int round,
      double perSecond,
      Map<String, Double> figures,
      List<String> breaches) {
    return new Measurement(
        Path.ACCEPTED,
        contender,
        1,
        round,
        "closed loop",
        perSecond,
        figures,
        Map.of(202, 10L),
        LATENCY,
        Map.of(),
        List.of(),
        breaches);
  }
}
