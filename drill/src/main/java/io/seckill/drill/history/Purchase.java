package io.seckill.drill.history;

/**
 * A purchase as a client names it: product, buyer and the buyer's key. Entries, rows and records
 * are assigned to purchases, so the checker does not depend on how a requestId is made.
 */
public record Purchase(long productId, long userId, String key) {
  /** Reads a row's {@code productId:userId:clientKey}. */
  public static Purchase ofScopedKey(String scoped) {
    String[] parts = scoped.split(":", 3);
    if (parts.length != 3) {
      throw new IllegalArgumentException("Not productId:userId:key: " + scoped);
    }
    return new Purchase(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2]);
  }

  @Override
  public String toString() {
    return productId + ":" + userId + ":" + key;
  }
}
