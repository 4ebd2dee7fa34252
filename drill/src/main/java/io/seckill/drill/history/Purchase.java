package io.seckill.drill.history;

/**
 * What a client names a purchase by: product, buyer and the buyer's own key. Everything the servers
 * hold (entries, rows, records) is brought back to it, so the checker does not depend on how a
 * requestId is formed.
 */
public record Purchase(long productId, long userId, String key) {
  /** Of a row's {@code productId:userId:clientKey}. */
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
