package io.seckill.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;

/** Explains why Kafka refuses this node at its start. */
final class KafkaRefusal {
  private static final int LONGEST_CHAIN = 50;

  private KafkaRefusal() {}

  /**
   * One sentence that names the property to look at.
   *
   * @param limit how long this node waited for Kafka
   */
  static String of(KafkaException failure, String brokers, Duration limit) {
    List<Throwable> chain =
        Stream.iterate((Throwable) failure, Objects::nonNull, Throwable::getCause)
            .limit(LONGEST_CHAIN)
            .toList();
    String reason =
        chain.stream()
            .map(cause -> reason(cause, limit))
            .filter(Objects::nonNull)
            .findFirst()
            .orElse("cannot be used with the properties seckill.kafka.*");
    return "Kafka at "
        + brokers
        + " (seckill.kafka.brokers) "
        + reason
        + ": "
        + chain.get(chain.size() - 1).getMessage();
  }

  private static String reason(Throwable cause, Duration limit) {
    if (cause instanceof SaslAuthenticationException) {
      return "refuses the user or the password of seckill.kafka.sasl-jaas-config";
    }
    if (cause instanceof UnsupportedSaslMechanismException) {
      return "does not know the mechanism of seckill.kafka.sasl-mechanism";
    }
    if (cause instanceof SslAuthenticationException) {
      return "and this node do not trust each other's certificates; look at"
          + " seckill.kafka.truststore, and at seckill.kafka.keystore where brokers ask for one";
    }
    if (cause instanceof AuthorizationException) {
      return "does not allow the user of seckill.kafka.sasl-jaas-config or seckill.kafka.keystore to"
          + " create or see the topics";
    }
    return cause instanceof RetriableException
        ? "does not answer within " + limit.toSeconds() + " s"
        : null;
  }
}
