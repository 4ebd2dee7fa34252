package io.seckill.domain;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * The id of a reservation: {@code productId-userId-hash of the client's key}. It is a function of
 * the three, so a retry after any loss finds its own row.
 */
public record RequestId(long productId, long userId, String keyHash) {
  private static final int HASH_BYTES = 12;

  /** Kept per thread, because looking up the algorithm takes longer than hashing a key. */
  private static final ThreadLocal<MessageDigest> DIGEST =
      ThreadLocal.withInitial(RequestId::digest);

  public static RequestId of(long productId, long userId, String idemKey) {
    byte[] digest = DIGEST.get().digest(idemKey.getBytes(StandardCharsets.US_ASCII));
    String hash =
        Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, HASH_BYTES));
    return new RequestId(productId, userId, hash);
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every Java platform", e);
    }
  }

  /** Reads the form that {@link #toString()} gives; empty for any other text. */
  public static Optional<RequestId> parse(String text) {
    String[] parts = text == null ? new String[0] : text.split("-", 3);
    if (parts.length != 3 || !parts[2].matches("[A-Za-z0-9_-]{16}")) {
      return Optional.empty();
    }
    if (!parts[0].matches("[1-9][0-9]{0,18}") || !parts[1].matches("[1-9][0-9]{0,18}")) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new RequestId(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2]));
    } catch (NumberFormatException tooLarge) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return productId + "-" + userId + "-" + keyHash;
  }
}
