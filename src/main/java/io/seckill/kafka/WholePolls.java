package io.seckill.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.component.kafka.DefaultKafkaClientFactory;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Makes consumers that hand a poll to Camel as one record whose value is a {@link Poll}: one
 * exchange for a whole poll, without a wait. (With {@code batching} Camel makes an exchange of each
 * record, and holds records until a poll finds none.) For endpoints with {@code
 * kafkaClientFactory=#wholePolls}, {@code allowManualCommit=true}, {@code breakOnFirstError=true},
 * {@code pollOnError=RECONNECT}, and without {@code batching}; {@link PolledRecords} reads and
 * commits the polls.
 *
 * <p>Batches adapt to the load. What comes after a pause is handed over at once. In a steady stream
 * a consumer polls at most once in {@code linger}, so that the records of that time share an
 * exchange. When an exchange takes longer than that, nothing waits, and the next one gets all that
 * has come meanwhile, up to {@code maxPollRecords}.
 */
public final class WholePolls extends DefaultKafkaClientFactory {
  /**
   * Kafka's client fetches ahead, but only once: after a while it holds the first records of that
   * while. The others are a round trip away.
   */
  private static final Duration ROUND_TRIP = Duration.ofMillis(2);

  private final Duration linger;

  /**
   * @param linger how long a record waits at most for others
   */
  public WholePolls(Duration linger) {
    this.linger = linger;
  }

  @Override
  public Consumer<Object, Object> getConsumer(Properties properties) {
    Properties halved = new Properties();
    halved.putAll(properties);
    int most = Integer.parseInt(properties.get(ConsumerConfig.MAX_POLL_RECORDS_CONFIG).toString());
    int each = Math.max(1, most / 2);
    halved.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, each);
    return new WholePollConsumer(halved, most - each, linger);
  }

  private static final class WholePollConsumer extends KafkaConsumer<Object, Object> {
    private final int enough;
    private final long linger;
    private long handedOver = System.nanoTime();

    /**
     * @param enough records with which it polls no further
     */
    private WholePollConsumer(Properties properties, int enough, Duration linger) {
      super(properties);
      this.enough = enough;
      this.linger = linger.toNanos();
    }

    @Override
    public ConsumerRecords<Object, Object> poll(Duration timeout) {
      long rest = handedOver + linger - System.nanoTime();
      if (rest > 0) {
        LockSupport.parkNanos(this, rest);
      }
      ConsumerRecords<Object, Object> polled = super.poll(timeout);
      if (polled.isEmpty()) {
        return polled;
      }
      handedOver = System.nanoTime();
      List<ConsumerRecord<Object, Object>> records = new ArrayList<>();
      polled.forEach(records::add);
      if (rest <= 0) {
        gather(records);
      }
      return asOne(records);
    }

    /** Adds what came after the client had fetched ahead. */
    private void gather(List<ConsumerRecord<Object, Object>> records) {
      ConsumerRecords<Object, Object> more;
      do {
        more = records.size() > enough ? ConsumerRecords.empty() : super.poll(ROUND_TRIP);
        more.forEach(records::add);
      } while (!more.isEmpty() && System.nanoTime() - handedOver < linger);
    }

    private ConsumerRecords<Object, Object> asOne(List<ConsumerRecord<Object, Object>> records) {
      ConsumerRecord<Object, Object> first = records.get(0);
      ConsumerRecord<Object, Object> whole =
          new ConsumerRecord<>(
              first.topic(), first.partition(), first.offset(), null, new Poll(this, records));
      return new ConsumerRecords<>(
          Map.of(new TopicPartition(first.topic(), first.partition()), List.of(whole)));
    }
  }
}
