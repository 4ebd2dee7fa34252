package io.seckill.identity;

import java.util.Map;
import org.apache.camel.health.HealthCheckResultBuilder;
import org.apache.camel.impl.health.AbstractHealthCheck;

/** Reports DOWN while no key is trusted: buyers cannot be identified then, so no order is taken. */
final class KeysHealthCheck extends AbstractHealthCheck {
  private final JwksKeys keys;

  KeysHealthCheck(JwksKeys keys) {
    super("seckill", "jwks");
    this.keys = keys;
  }

  /** Never, because restarting this process does not repair the issuer. */
  @Override
  public boolean isLiveness() {
    return false;
  }

  @Override
  protected void doCall(HealthCheckResultBuilder builder, Map<String, Object> options) {
    builder.state(keys.isTrusted() ? State.UP : State.DOWN).message(keys.summary());
  }
}
