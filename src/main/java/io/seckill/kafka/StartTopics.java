package io.seckill.kafka;

import io.seckill.StartRefusedException;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * The topics that must be there before a route starts.
 *
 * @param brokers the addresses, for messages
 * @param timeout how long to wait for a broker that is not up yet
 */
public record StartTopics(Admin admin, String brokers, Duration timeout, List<Topic> topics) {
  /**
   * Creates those that are missing. Closes the client when that fails.
   *
   * @throws StartRefusedException when Kafka refuses or does not answer in time
   */
  public void ensure() {
    try {
      new Topics(admin, timeout).ensure(topics);
    } catch (KafkaException e) {
      admin.close();
      throw new StartRefusedException(KafkaRefusal.of(e, brokers, timeout), e);
    }
  }
}
