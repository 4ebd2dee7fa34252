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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
  private static final Pattern HOST = Pattern.compile("[^:\\[\\]]+|\\[[^\\[\\]]+]");
  private static final Pattern HOST_AND_PORT = Pattern.compile("([^:\\[\\]]+):([0-9]{1,5})");
  private static final int HIGHEST_PORT = 65_535;

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
      throw noAddress();
    }
    if (address.getSentinels().isEmpty() && address.getSocket() == null) {
      separatePort(address);
    }
    logIn(address);
    address.setTimeout(connectTimeout);
    // sending Redis the driver's name needs one more right, and nothing here uses it
    address.setLibraryName(null);
    address.setLibraryVersion(null);
    return address;
  }

  /**
   * The driver takes host and port for one where java.net.URI does not know them apart: with an
   * underscore in the host, as in networks of containers, or an @ in the password.
   */
  private static void separatePort(RedisURI address) {
    String host = address.getHost();
    Matcher both = HOST_AND_PORT.matcher(host);
    if (both.matches() && Integer.parseInt(both.group(2)) <= HIGHEST_PORT) {
      address.setHost(both.group(1));
      address.setPort(Integer.parseInt(both.group(2)));
    } else if (!HOST.matcher(host).matches()) {
      throw noAddress();
    }
  }

  /** Quotes nothing: a part of an address that cannot be read may be a part of its password. */
  private static StartRefusedException noAddress() {
    return new StartRefusedException(
        "seckill.redis.uri is not an address of Redis such as redis://user:password@host:6379 or"
            + " rediss://… for TLS. Write /, ?, # and % in a password as %2F, %3F, %23 and %25, or"
            + " set seckill.redis.password.");
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
