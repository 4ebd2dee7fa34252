package io.seckill.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import io.seckill.StartRefusedException;
import java.time.Duration;

/**
 * How this node talks to Redis. Every connection, whoever makes it, is made from {@link #address()}
 * and {@link #clientOptions()}, so none differs from the others in encryption, user or database.
 *
 * @param uri address, as Lettuce reads it ({@code redis://user:password@host:port/database}, {@code
 *     rediss://} for TLS, {@code redis-sentinel://} and {@code rediss-sentinel://} for a group)
 * @param certificates with TLS: whom this node trusts, and how it shows who it is
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
    RedisCertificates certificates,
    Duration connectTimeout,
    Duration requestTimeout,
    Duration backgroundTimeout,
    Duration stallTimeout,
    Duration breakerWait) {

  /**
   * The parsed address; each call returns one of its own.
   *
   * @throws StartRefusedException when the property is no address of Redis
   */
  RedisURI address() {
    RedisURI address;
    try {
      address = RedisURI.create(uri);
    } catch (IllegalArgumentException e) {
      // the driver's text repeats the address, and with it the password
      throw new StartRefusedException(
          "seckill.redis.uri is no address of Redis, such as redis://user:password@host:6379 or"
              + " rediss://… for TLS: "
              + e.getMessage().replace(uri, "…"));
    }
    address.setTimeout(connectTimeout);
    // telling Redis the driver's name takes a right of its own, and nothing here needs it
    address.setLibraryName(null);
    address.setLibraryVersion(null);
    return address;
  }

  /** What all connections have in common. */
  ClientOptions.Builder clientOptions() {
    SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider().handshakeTimeout(connectTimeout);
    certificates.addTo(ssl);
    return ClientOptions.builder()
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .protocolVersion(ProtocolVersion.RESP2)
        .socketOptions(
            SocketOptions.builder()
                .connectTimeout(connectTimeout)
                .tcpNoDelay(true)
                .keepAlive(true)
                .build())
        .sslOptions(ssl.build());
  }
}
