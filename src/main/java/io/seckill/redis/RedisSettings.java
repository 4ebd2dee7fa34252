package io.seckill.redis;

import java.time.Duration;

/**
 * How this node talks to Redis.
 *
 * @param uri address, as Lettuce reads it ({@code redis://user:password@host:port/database})
 * @param connectTimeout from the connection attempt to the end of its handshake
 * @param requestTimeout for a call made on an event loop, a buyer's request: well below the second
 *     within which he is answered
 * @param backgroundTimeout for all other calls
 * @param stallTimeout a connection with calls on the way that has not answered for so long is cut
 *     and made anew
 * @param breakerWait how long an open circuit breaker refuses before it lets a few calls probe
 */
public record RedisSettings(
    String uri,
    Duration connectTimeout,
    Duration requestTimeout,
    Duration backgroundTimeout,
    Duration stallTimeout,
    Duration breakerWait) {

  /** The settings the application comes with. */
  public static RedisSettings of(String uri) {
    return new RedisSettings(
        uri,
        Duration.ofMillis(1_000),
        Duration.ofMillis(400),
        Duration.ofMillis(3_000),
        Duration.ofMillis(5_000),
        Duration.ofMillis(500));
  }
}
