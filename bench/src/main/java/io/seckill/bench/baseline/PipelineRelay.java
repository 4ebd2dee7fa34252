package io.seckill.bench.baseline;

import io.lettuce.core.Consumer;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.sync.RedisCommands;
import io.seckill.book.BookKeys;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * The relay of the hand-written pipeline (e): one thread reads each outbox in batches, sends them
 * with acks=all and acknowledges what Kafka has. It stops at the first failure, because a benchmark
 * has no faults to survive.
 */
final class PipelineRelay implements Runnable {
  private static final String GROUP = "hand-written-relay";
  private static final int BATCH = 1000;
  private static final long SALES_EVERY_NANOS = 250_000_000;
  private static final long IDLE_NANOS = 2_000_000;

  private final RedisCommands<String, String> redis;
  private final String acknowledge;
  private final DataSource database;
  private final Producer<String, byte[]> kafka;
  private final String topic;
  private final Map<Long, StreamOffset<String>> outboxes = new LinkedHashMap<>();

  PipelineRelay(
      String redisUri, DataSource database, Map<String, Object> producerSettings, String topic) {
    this.redis = RedisClient.create(redisUri).connect().sync();
    this.acknowledge = Scripts.load(redis, "acknowledge");
    this.database = database;
    this.kafka =
        new KafkaProducer<>(producerSettings, new StringSerializer(), new ByteArraySerializer());
    this.topic = topic;
  }

  @Override
  public void run() {
    long salesDue = System.nanoTime();
    try {
      while (true) {
        if (System.nanoTime() - salesDue >= 0) {
          findSales();
          salesDue = System.nanoTime() + SALES_EVERY_NANOS;
        }
        int relayed = 0;
        for (Map.Entry<Long, StreamOffset<String>> outbox : outboxes.entrySet()) {
          relayed += relay(outbox.getKey(), outbox.getValue());
        }
        if (relayed == 0) {
          LockSupport.parkNanos(IDLE_NANOS);
        }
      }
    } catch (SQLException | ExecutionException e) {
      throw new IllegalStateException("the relay stopped", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void findSales() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM products WHERE state = 'OPEN'")) {
      Map<Long, StreamOffset<String>> found = new LinkedHashMap<>();
      while (rows.next()) {
        long productId = rows.getLong(1);
        StreamOffset<String> known = outboxes.get(productId);
        found.put(productId, known == null ? join(productId) : known);
      }
      outboxes.clear();
      outboxes.putAll(found);
    }
  }

  private StreamOffset<String> join(long productId) {
    String outbox = BookKeys.outbox(productId);
    try {
      redis.xgroupCreate(
          StreamOffset.from(outbox, "0"), GROUP, XGroupCreateArgs.Builder.mkstream());
    } catch (RedisBusyException exists) {
      return StreamOffset.lastConsumed(outbox);
    }
    return StreamOffset.lastConsumed(outbox);
  }

  private int relay(long productId, StreamOffset<String> outbox)
      throws ExecutionException, InterruptedException {
    List<StreamMessage<String, String>> entries =
        redis.xreadgroup(Consumer.from(GROUP, "0"), XReadArgs.Builder.count(BATCH), outbox);
    if (entries.isEmpty()) {
      return 0;
    }
    List<Future<RecordMetadata>> sent = new ArrayList<>(entries.size());
    for (StreamMessage<String, String> entry : entries) {
      sent.add(kafka.send(new ProducerRecord<>(topic, json(productId, entry))));
    }
    for (Future<RecordMetadata> ack : sent) {
      ack.get();
    }
    String[] arguments = new String[entries.size() + 1];
    arguments[0] = GROUP;
    for (int i = 0; i < entries.size(); i++) {
      arguments[i + 1] = entries.get(i).getId();
    }
    redis.evalsha(acknowledge, ScriptOutputType.MULTI, BookKeys.all(productId), arguments);
    return entries.size();
  }

  private static byte[] json(long productId, StreamMessage<String, String> entry) {
    Map<String, String> fields = entry.getBody();
    return ("{\"v\":1,\"requestId\":\""
            + fields.get("requestId")
            + "\",\"productId\":"
            + productId
            + ",\"userId\":"
            + fields.get("userId")
            + ",\"quantity\":"
            + fields.get("quantity")
            + ",\"idemKey\":\""
            + fields.get("idemKey")
            + "\",\"epoch\":"
            + fields.get("epoch")
            + ",\"outboxId\":\""
            + entry.getId()
            + "\",\"resent\":"
            + fields.get("resent")
            + "}")
        .getBytes(StandardCharsets.US_ASCII);
  }
}
