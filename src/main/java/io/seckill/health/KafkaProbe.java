package io.seckill.health;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;

/** Asks Kafka for its brokers. */
public final class KafkaProbe {
  private final Admin admin;
  private final Duration timeout;

  public KafkaProbe(Admin admin, Duration timeout) {
    this.admin = admin;
    this.timeout = timeout;
  }

  /**
   * Waits for the answer, up to the timeout.
   *
   * @return a text with the number of brokers
   * @throws IllegalStateException when Kafka does not answer in time, or has no broker
   */
  public String look() throws InterruptedException {
    int millis = Math.toIntExact(timeout.toMillis());
    try {
      int brokers =
          admin
              .describeCluster(new DescribeClusterOptions().timeoutMs(millis))
              .nodes()
              .get(2L * millis, TimeUnit.MILLISECONDS)
              .size();
      if (brokers == 0) {
        throw new IllegalStateException("Kafka knows no broker");
      }
      return brokers + " broker(s)";
    } catch (ExecutionException e) {
      throw new IllegalStateException("Kafka: " + e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("Kafka: no answer within " + 2L * millis + " ms", e);
    }
  }
}
