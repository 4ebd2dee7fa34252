package io.seckill.identity;

import java.util.Map;
import org.apache.camel.health.HealthCheckResultBuilder;
import org.apache.camel.impl.health.AbstractHealthCheck;

/** Without a key that is trusted no buyer can be told from another, so no order is taken. */
final class KeysHealthCheck extends AbstractHealthCheck {
  private final JwksKeys keys;

  KeysHealthCheck(JwksKeys keys) {
    super("seckill", "jwks");
    this.keys = keys;
  }

  /** Never: a restart of this process repairs no issuer. */
  @Override
  public boolean isLiveness() {
    return false;
  }

  @Override
  protected void doCall(HealthCheckResultBuilder builder, Map<String, Object> options) {
    builder.state(keys.isTrusted() ? State.UP : State.DOWN).message(keys.summary());
  }
}
