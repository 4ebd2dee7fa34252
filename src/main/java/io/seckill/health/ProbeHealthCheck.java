package io.seckill.health;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.camel.health.HealthCheckResultBuilder;
import org.apache.camel.impl.health.AbstractHealthCheck;

/** Shows a probe's reading under {@code /observe/health}. */
public final class ProbeHealthCheck extends AbstractHealthCheck {
  private static final String GROUP = "seckill";

  private final boolean readiness;
  private final Supplier<Probes.Reading> reading;

  /**
   * Makes a check of one reading.
   *
   * @param readiness true when no orders can be taken while it is down, so that a load balancer
   *     sends buyers elsewhere; false to show it only in the overall health
   * @param reading called at each request for the health; must not wait for a server
   */
  public ProbeHealthCheck(String id, boolean readiness, Supplier<Probes.Reading> reading) {
    super(GROUP, id);
    this.readiness = readiness;
    this.reading = reading;
  }

  @Override
  public boolean isReadiness() {
    return readiness;
  }

  /** Never, because restarting this process does not repair a server. */
  @Override
  public boolean isLiveness() {
    return false;
  }

  @Override
  protected void doCall(HealthCheckResultBuilder builder, Map<String, Object> options) {
    Probes.Reading now = reading.get();
    builder.state(now.up() ? State.UP : State.DOWN).message(now.message());
  }
}
