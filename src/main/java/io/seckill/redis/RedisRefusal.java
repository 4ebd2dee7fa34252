package io.seckill.redis;

import io.netty.handler.ssl.NotSslRecordException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * Explains why Redis refuses this node because of a wrong setting, which only an operator can
 * correct.
 */
final class RedisRefusal {
  private static final int LONGEST_CHAIN = 50;

  /** First words of the errors of Redis that pass with time. */
  private static final Set<String> PASSING =
      Set.of("LOADING", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "MISCONF", "OOM");

  private static final Pattern ERROR_CODE = Pattern.compile("[A-Z]{3,} .*", Pattern.DOTALL);
  private static final Pattern LACKS_RIGHT =
      Pattern.compile("NOPERM|user executing the script|ACL failure in script");

  private RedisRefusal() {}

  /** One sentence that names the property; empty when Redis is away or busy. */
  static Optional<String> of(Throwable failure) {
    List<Throwable> chain =
        Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
            .limit(LONGEST_CHAIN)
            .toList();
    for (Throwable cause : chain) {
      if (cause instanceof MissingRightException) {
        return Optional.of(cause.getMessage());
      }
      if (cause instanceof NotSslRecordException) {
        return Optional.of(
            "seckill.redis.uri asks for TLS (rediss://), but the server there does not speak TLS");
      }
      if (cause instanceof GeneralSecurityException) {
        return Optional.of(
            "the certificate of Redis is not trusted, or is for another host: set"
                + " seckill.redis.truststore ("
                + cause.getMessage()
                + ")");
      }
      if (cause instanceof SSLException && text(cause).contains("fatal alert")) {
        return Optional.of(
            "Redis does not accept this node's certificate, or its TLS version: set"
                + " seckill.redis.keystore ("
                + cause.getMessage()
                + ")");
      }
    }
    String error = text(chain.get(chain.size() - 1)).replaceFirst("^Redis: ", "");
    return ERROR_CODE.matcher(error).matches() && !isPassing(error)
        ? Optional.of(sentence(error))
        : Optional.empty();
  }

  /** Whether an error of Redis says that the connection's user lacks a right. */
  static boolean isLackOfRights(String error) {
    return LACKS_RIGHT.matcher(error).find();
  }

  /** Makes a sentence of a reason. */
  static String asSentence(String reason) {
    return Character.toUpperCase(reason.charAt(0)) + reason.substring(1) + ".";
  }

  private static boolean isPassing(String error) {
    return PASSING.contains(error.substring(0, error.indexOf(' ')))
        || error.contains("max number of clients");
  }

  /** Explains an error of Redis to an operator. */
  static String sentence(String error) {
    String saying = " (" + error.strip() + ")";
    if (error.startsWith("WRONGPASS") || error.contains("invalid password")) {
      return "Redis refuses the user or the password of seckill.redis.uri" + saying;
    }
    if (error.startsWith("NOAUTH")) {
      return "Redis asks for a password, which seckill.redis.uri lacks: redis://user:password@host:port"
          + saying;
    }
    if (error.contains("without any password") || error.contains("no password is set")) {
      return "seckill.redis.uri has a password, but its user has none in Redis" + saying;
    }
    if (error.contains("DB index") || error.contains("SELECT is not allowed")) {
      return "Redis does not have the database that seckill.redis.uri names" + saying;
    }
    if (isLackOfRights(error)) {
      return "the user of seckill.redis.uri lacks a right in Redis; docs/REDIS.md has the line that"
          + " allows all it needs: ~seckill:* for keys, &seckill:* for channels"
          + saying;
    }
    return "Redis does not take the connection of seckill.redis.uri" + saying;
  }

  private static String text(Throwable cause) {
    return String.valueOf(cause.getMessage());
  }
}
