package io.seckill.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Secrets and signatures by Standard Webhooks 1.0. Stateless. */
public final class Signatures {
  private static final String SECRET_PREFIX = "whsec_";
  private static final String VERSION = "v1,";
  private static final String ALGORITHM = "HmacSHA256";
  private static final int SECRET_BYTES = 32;

  private final SecureRandom random = new SecureRandom();

  /** A new secret: {@code whsec_} and 32 random bytes in base64. */
  public String newSecret() {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    return SECRET_PREFIX + Base64.getEncoder().encodeToString(secret);
  }

  /**
   * The value of {@code webhook-signature}: one signature for each secret, the present one first.
   *
   * @param seconds epoch seconds of the try, as in {@code webhook-timestamp}
   * @param formerSecret null for none
   */
  String header(String id, long seconds, byte[] body, String secret, String formerSecret) {
    return Stream.of(secret, formerSecret == null ? "" : formerSecret)
        .filter(each -> !each.isEmpty())
        .map(each -> VERSION + sign(id, seconds, body, each))
        .collect(Collectors.joining(" "));
  }

  private static String sign(String id, long seconds, byte[] body, String secret) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      byte[] key = Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length()));
      mac.init(new SecretKeySpec(key, ALGORITHM));
      mac.update((id + "." + seconds + ".").getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has " + ALGORITHM, e);
    }
  }
}
