package io.seckill.identity;

import com.nimbusds.jose.jwk.source.ImmutableSecret;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;

/** The keys that tokens are verified with. They are in memory: asking never blocks. */
public interface TokenKeys extends JWKSource<SecurityContext> {
  /**
   * A number that changes when a key is no longer trusted: what was verified before counts no more.
   *
   * @throws Refusal 503 DEGRADED while no key is trusted
   */
  int generation();

  /** The one secret that the issuer shares with this application. */
  static TokenKeys ofSecret(byte[] secret) {
    final class SharedKey extends ImmutableSecret<SecurityContext> implements TokenKeys {
      SharedKey() {
        super(secret);
      }

      @Override
      public int generation() {
        return 0;
      }
    }
    return new SharedKey();
  }
}
