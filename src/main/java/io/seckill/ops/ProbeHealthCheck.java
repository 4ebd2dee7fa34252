package io.seckill.ops;

import java.util.Map;
import org.apache.camel.health.HealthCheckResultBuilder;
import org.apache.camel.impl.health.AbstractHealthCheck;

/** Shows a reading of {@link Probes} under {@code /observe/health}. */
public final class ProbeHealthCheck extends AbstractHealthCheck {
  private static final String GROUP = "seckill";

  private final Probes probes;
  private final boolean readiness;

  /**
   * A check of one probe.
   *
   * @param readiness whether no order can be taken while it is down, so that a load balancer should
   *     send buyers elsewhere; else it shows in the overall health only
   */
  public ProbeHealthCheck(Probes probes, String id, boolean readiness) {
    super(GROUP, id);
    this.probes = probes;
    this.readiness = readiness;
  }

  @Override
  public boolean isReadiness() {
    return readiness;
  }

  /** Never: a restart of this process repairs no server. */
  @Override
  public boolean isLiveness() {
    return false;
  }

  @Override
  protected void doCall(HealthCheckResultBuilder builder, Map<String, Object> options) {
    Probes.Reading reading = probes.of(getId());
    builder.state(reading.up() ? State.UP : State.DOWN).message(reading.message());
  }
}
