package io.seckill.drill.fault;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.seckill.drill.lab.Stores;
import io.seckill.drill.net.TcpProxy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Faults in which Redis forgets acknowledged data. */
final class LossFaults {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String AOF = "appendonly.aof";

  private LossFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.ownServers(
            "redis-flushed",
            "Redis is emptied; an operator rebuilds the book.",
            scene -> {
              flush(scene);
              scene.pause(500);
              scene.rebuild();
            }),
        Fault.ownServers(
            "redis-flushed-before-relay",
            "Redis is emptied while the outbox holds what Kafka has not; an operator rebuilds.",
            scene -> {
              TcpProxy network = scene.lab().kafkaNetwork().orElseThrow();
              scene.tell("connections to Kafka are cut");
              network.mode(TcpProxy.Mode.CUT);
              scene.pause(700);
              flush(scene);
              network.heal();
              scene.tell("Kafka is reached again");
              scene.rebuild();
            }),
        Fault.ownServers(
            "redis-older-copy",
            "Redis comes back from an older copy of its file; an operator rebuilds the book.",
            scene -> {
              Path file = scene.lab().scratch().resolve("redis").resolve(AOF);
              Path copy = file.resolveSibling("older-copy.aof");
              Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
              scene.tell("Redis's file is copied");
              scene.pause(500 + scene.random().nextInt(500));
              scene.redisLost("killed, and started from an older copy of its file");
              scene.lab().redis().kill();
              scene.redisLost("killed");
              Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
              scene.lab().redis().start();
              scene.tell("Redis is up again");
              scene.pause(1_000);
              scene.rebuild();
            }),
        Fault.ownServers(
            "relay-wakes-after-rebuild",
            "A hung relay sends what it read from a Redis that was emptied and rebuilt since.",
            LossFaults::relayWakesAfterRebuild));
  }

  private static void flush(Scene scene) {
    scene.redisLost("FLUSHALL");
    scene.lab().stores().redis().flushall();
    scene.redisLost("all is gone");
  }

  private static void relayWakesAfterRebuild(Scene scene) throws IOException {
    TcpProxy network = scene.lab().kafkaNetwork().orElseThrow();
    scene.tell("connections to Kafka are cut, the relay cannot send");
    network.mode(TcpProxy.Mode.CUT);
    scene.pause(700);
    List<ProducerRecord<byte[], byte[]>> held = new ArrayList<>();
    for (StreamMessage<String, String> entry :
        scene
            .lab()
            .stores()
            .redis()
            .xrange(Stores.key(scene.productId(), "outbox"), Range.unbounded())) {
      held.add(record(scene.productId(), entry));
    }
    scene.tell("a relay has read " + held.size() + " entries and hangs");
    flush(scene);
    network.heal();
    scene.rebuild();
    scene.pause(300);
    scene.lab().stores().produce(held);
    scene.tell("the hung relay wakes and sends its " + held.size() + " entries");
    scene.pause(500);
  }

  /** As the relay would send it. */
  private static ProducerRecord<byte[], byte[]> record(
      long productId, StreamMessage<String, String> entry) throws IOException {
    Map<String, String> fields = entry.getBody();
    Map<String, Object> order = new LinkedHashMap<>();
    order.put("v", 1);
    order.put("requestId", fields.get("requestId"));
    order.put("productId", productId);
    order.put("userId", Long.parseLong(fields.get("userId")));
    order.put("quantity", Integer.parseInt(fields.get("quantity")));
    order.put("idemKey", fields.get("idemKey"));
    order.put("epoch", Long.parseLong(fields.get("epoch")));
    order.put("outboxId", entry.getId());
    order.put("resent", Integer.parseInt(fields.get("resent")));
    String key = productId + "-" + fields.get("userId");
    return new ProducerRecord<>(
        Stores.ORDERS, key.getBytes(StandardCharsets.UTF_8), JSON.writeValueAsBytes(order));
  }
}
