package io.seckill.identity;

import com.nimbusds.jose.jwk.source.ImmutableSecret;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;

/** The keys that verify tokens. They are in memory, so reading them never blocks. */
public interface TokenKeys extends JWKSource<SecurityContext> {
  /**
   * A number that changes when a key is no longer trusted. Verifications made under another number
   * are void.
   *
   * @throws Refusal 503 DEGRADED while no key is trusted
   */
  int generation();

  /** Makes keys of the secret that issuer and application share. */
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
