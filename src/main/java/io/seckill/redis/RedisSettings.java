package io.seckill.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.protocol.ProtocolVersion;
import io.seckill.StartRefusedException;
import java.time.Duration;

/**
 * How this node talks to Redis. Every connection uses {@link #address()} and {@link
 * #clientOptions()}, so all have the same encryption, user and database.
 *
 * @param uri address, as Lettuce reads it ({@code redis://user:password@host:port/database}, {@code
 *     rediss://} for TLS, {@code redis-sentinel://} and {@code rediss-sentinel://} for a group)
 * @param user who logs in with the password; empty: Redis's default user
 * @param password for an address without one; empty: that of the address, if any
 * @param certificates for TLS: the certificates that this node trusts, and its own
 * @param connectTimeout from the connection attempt to the end of its handshake
 * @param requestTimeout for a call on an event loop, which serves a buyer; well below the second
 *     within which the buyer gets an answer
 * @param backgroundTimeout for all other calls
 * @param stallTimeout a connection with pending calls and no answer for so long is closed and
 *     opened again
 * @param breakerWait how long an open circuit breaker refuses before it lets a few calls through
 */
public record RedisSettings(
    String uri,
    String user,
    String password,
    RedisCertificates certificates,
    Duration connectTimeout,
    Duration requestTimeout,
    Duration backgroundTimeout,
    Duration stallTimeout,
    Duration breakerWait) {

  /**
   * The parsed address; each call returns a new object.
   *
   * @throws StartRefusedException when the property is not an address of Redis, or when the
   *     password is given twice
   */
  RedisURI address() {
    RedisURI address;
    try {
      address = RedisURI.create(uri);
    } catch (IllegalArgumentException e) {
      // the driver's message repeats the address with its password
      throw new StartRefusedException(
          "seckill.redis.uri is not an address of Redis such as redis://user:password@host:6379 or"
              + " rediss://… for TLS: "
              + e.getMessage().replace(uri, "…"));
    }
    logIn(address);
    address.setTimeout(connectTimeout);
    // sending Redis the driver's name needs one more right, and nothing here uses it
    address.setLibraryName(null);
    address.setLibraryVersion(null);
    return address;
  }

  private void logIn(RedisURI address) {
    if (password.isBlank()) {
      return;
    }
    RedisCredentials inAddress = address.getCredentialsProvider().resolveCredentials().block();
    if (inAddress != null && inAddress.hasPassword()) {
      throw new StartRefusedException(
          "seckill.redis.uri holds a password, and seckill.redis.password is set: remove one of"
              + " them.");
    }
    address.setCredentialsProvider(
        new StaticCredentialsProvider(user.isBlank() ? null : user, password.toCharArray()));
  }

  /** The options that all connections share. */
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
