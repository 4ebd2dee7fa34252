package io.seckill.recovery;

import io.seckill.book.AdmissionGuard;
import io.seckill.book.BookVerifier.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.camel.health.HealthCheckResultBuilder;
import org.apache.camel.impl.health.AbstractHealthCheck;

/**
 * Names the closed sales of this node and why, and the sales whose book and orders differ. It is
 * part of the overall health only, because other sales go on and no restart helps.
 */
final class RecoveryHealthCheck extends AbstractHealthCheck {
  private static final int NAMED = 20;

  private final AdmissionGuard guard;
  private final Reconciliation reconciliation;

  RecoveryHealthCheck(AdmissionGuard guard, Reconciliation reconciliation) {
    super("seckill", "reconciliation");
    this.guard = guard;
    this.reconciliation = reconciliation;
  }

  @Override
  public boolean isReadiness() {
    return false;
  }

  @Override
  public boolean isLiveness() {
    return false;
  }

  @Override
  protected void doCall(HealthCheckResultBuilder builder, Map<String, Object> options) {
    Map<Long, Verdict> verdicts = guard.verdicts();
    Map<Long, List<String>> findings = reconciliation.findings();
    boolean well = findings.isEmpty() && verdicts.values().stream().noneMatch(Verdict::lost);
    builder.state(well ? State.UP : State.DOWN).message(message(verdicts, findings));
  }

  private static String message(Map<Long, Verdict> verdicts, Map<Long, List<String>> findings) {
    List<String> sentences = new ArrayList<>();
    verdicts.entrySet().stream()
        .limit(NAMED)
        .forEach(
            closed ->
                sentences.add(
                    "sale " + closed.getKey() + " admits nobody: " + closed.getValue().reason()));
    findings.entrySet().stream()
        .limit(NAMED)
        .forEach(
            finding ->
                sentences.add(
                    "sale " + finding.getKey() + ": " + String.join("; ", finding.getValue())));
    return sentences.isEmpty() ? "books and orders agree" : String.join("; ", sentences);
  }
}
