package io.seckill.drill.fault;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.seckill.drill.agent.Control;
import io.seckill.drill.lab.Application;
import io.seckill.drill.lab.Stores;
import io.seckill.drill.net.TcpProxy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Faults in which Redis forgets acknowledged data. */
final class LossFaults {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String AOF = "appendonly.aof";

  /** Longer than a node tries to send one record. */
  private static final long SEND_MILLIS = 5_000;

  private static final long ADOPTION_MILLIS = 8_000;
  private static final long STAND_MILLIS = 15_000;

  private static final String CONFIRMING = "order-writer-outcomes/confirm-orders:before";

  /** After a rebuild's snapshot, before its book opens. */
  private static final String OPENING = "rebuild-alone/open-book:before";

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
              Path copy = copy(scene);
              scene.pause(500 + scene.random().nextInt(500));
              restore(scene, copy);
              scene.pause(1_000);
              scene.rebuild();
            }),
        Fault.ownServers(
            "redis-lacks-ends",
            "Redis comes back from a copy that lacks nothing but the ends of reservations, which"
                + " buyers know: nobody rebuilds.",
            LossFaults::lacksEnds),
        Fault.ownServers(
            "relay-wakes-in-older-copy",
            "A hung relay sends what it read, after Redis came back from a copy without it and is"
                + " found current: nobody rebuilds.",
            LossFaults::relayWakesInOlderCopy),
        Fault.ownServers(
                "node-sleeps-while-redis-goes-back",
                "One of two nodes stands still while Redis comes back from an older copy of its"
                    + " file; it wakes when the other one sells again.",
                LossFaults::nodeSleeps)
            .with(Setup.TWO_NODES),
        Fault.ownServers(
            "relay-wakes-during-rebuild",
            "A hung relay sends what it read while the book is built again: tombstones are written"
                + " between its snapshot and its opening.",
            LossFaults::relayWakesDuringRebuild),
        Fault.ownServers(
            "relay-wakes-after-rebuild",
            "A hung relay sends what it read from a Redis that was emptied and rebuilt since.",
            LossFaults::relayWakesAfterRebuild));
  }

  static Path copy(Scene scene) throws IOException {
    Path file = scene.lab().redisFolder().resolve(AOF);
    Path copy = file.resolveSibling("older-copy.aof");
    Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
    scene.tell("Redis's file is copied");
    return copy;
  }

  static void restore(Scene scene, Path copy) throws IOException {
    scene.redisLost("killed, and started from an older copy of its file");
    scene.lab().redis().kill();
    scene.redisLost("killed");
    Files.move(copy, copy.resolveSibling(AOF), StandardCopyOption.REPLACE_EXISTING);
    scene.lab().redis().start();
    scene.tell("Redis is up again");
  }

  /** The Redis in which the book was made or adopted. */
  static String run(Scene scene) {
    return scene.lab().stores().redis().hget(Stores.key(scene.productId(), "sale"), "run");
  }

  private static void lacksEnds(Scene scene) throws IOException {
    Control control = scene.nodes().get(0).control();
    control.disarm();
    control.arm(new Control.Stop(CONFIRMING, 1, STAND_MILLIS));
    if (!scene.await(STAND_MILLIS, () -> control.reached(CONFIRMING) > 0)) {
      scene.missed("never reached " + CONFIRMING);
    }
    String sale = "/admin/sales/" + scene.productId();
    scene.tell(
        "orders are written and not confirmed; pause: " + scene.admin("POST", sale + "/pause"));
    Path copy = copy(scene);
    control.disarm();
    if (!scene.await(STAND_MILLIS, () -> pending(scene) == 0)) {
      scene.missed("some reservations did not end");
    }
    scene.pause(300);
    String before = run(scene);
    restore(scene, copy);
    if (!scene.await(ADOPTION_MILLIS, () -> !run(scene).equals(before))) {
      scene.missed("the older copy was not found current");
      scene.rebuild();
    }
    scene.pause(1_000);
    scene.tell("resume: " + scene.admin("POST", sale + "/resume"));
  }

  private static long pending(Scene scene) {
    return Long.parseLong(
        scene.lab().stores().redis().hget(Stores.key(scene.productId(), "sale"), "pending"));
  }

  private static void relayWakesInOlderCopy(Scene scene) throws IOException {
    TcpProxy network = scene.lab().kafkaNetwork().orElseThrow();
    scene.tell("connections to Kafka are cut, the relay cannot send");
    network.mode(TcpProxy.Mode.CUT);
    scene.pause(700);
    Path copy = copy(scene);
    Set<String> copied = new HashSet<>(outbox(scene).stream().map(StreamMessage::getId).toList());
    scene.pause(500);
    List<ProducerRecord<byte[], byte[]>> held = new ArrayList<>();
    for (StreamMessage<String, String> entry : outbox(scene)) {
      if (!copied.contains(entry.getId())) {
        held.add(record(scene.productId(), entry));
      }
    }
    scene.tell("a relay has read " + held.size() + " entries and hangs");
    String before = run(scene);
    restore(scene, copy);
    // what the node itself was sending is given up by then
    scene.pause(SEND_MILLIS);
    network.heal();
    scene.tell("Kafka is reached again");
    if (!scene.await(ADOPTION_MILLIS, () -> !run(scene).equals(before))) {
      scene.missed("the older copy was not found current");
      scene.rebuild();
    }
    scene.pause(500);
    wake(scene, held);
  }

  private static void nodeSleeps(Scene scene) throws IOException {
    Application sleeper = scene.nodes().get(1);
    Path copy = copy(scene);
    boolean adopted = false;
    scene.pause(scene.random().nextInt(200));
    scene.tell("SIGSTOP to " + sleeper.machine().name());
    sleeper.machine().suspend();
    scene.takeOut(sleeper);
    try {
      scene.pause(scene.random().nextInt(300));
      String before = run(scene);
      restore(scene, copy);
      adopted = scene.await(ADOPTION_MILLIS, () -> !run(scene).equals(before));
      scene.tell(adopted ? "the older copy was found current" : "the older copy is outdated");
      if (adopted && scene.random().nextBoolean()) {
        scene.rebuild();
      }
      scene.pause(500);
    } finally {
      sleeper.machine().resume();
      scene.tell("SIGCONT to " + sleeper.machine().name());
    }
    if (!adopted) {
      // the sleeper may have kept a row in MySQL locked
      scene.rebuild();
    }
    scene.putBack(sleeper);
    scene.pause(500);
  }

  private static List<StreamMessage<String, String>> outbox(Scene scene) {
    return scene
        .lab()
        .stores()
        .redis()
        .xrange(Stores.key(scene.productId(), "outbox"), Range.unbounded());
  }

  static void flush(Scene scene) {
    scene.redisLost("FLUSHALL");
    scene.lab().stores().redis().flushall();
    scene.redisLost("all is gone");
  }

  private static void relayWakesAfterRebuild(Scene scene) throws IOException {
    List<ProducerRecord<byte[], byte[]>> held = hangAndFlush(scene);
    scene.rebuild();
    scene.pause(300);
    wake(scene, held);
  }

  private static void relayWakesDuringRebuild(Scene scene) throws Exception {
    List<ProducerRecord<byte[], byte[]>> held = hangAndFlush(scene);
    Control control = scene.nodes().get(0).control();
    control.disarm();
    control.arm(new Control.Stop(OPENING, 1, STAND_MILLIS));
    Thread rebuilding = new Thread(scene::rebuild, "rebuilding");
    rebuilding.start();
    if (!scene.await(STAND_MILLIS, () -> control.reached(OPENING) > 0)) {
      scene.missed("no rebuild came to " + OPENING);
    }
    wake(scene, held);
    scene.await(STAND_MILLIS, () -> scene.lab().stores().lag(Stores.ORDERS) == 0);
    control.disarm();
    rebuilding.join();
    scene.pause(500);
  }

  /** What a relay has read that could not send it before Redis was emptied. */
  private static List<ProducerRecord<byte[], byte[]>> hangAndFlush(Scene scene) throws IOException {
    TcpProxy network = scene.lab().kafkaNetwork().orElseThrow();
    scene.tell("connections to Kafka are cut, the relay cannot send");
    network.mode(TcpProxy.Mode.CUT);
    scene.pause(700);
    List<ProducerRecord<byte[], byte[]>> held = new ArrayList<>();
    for (StreamMessage<String, String> entry : outbox(scene)) {
      held.add(record(scene.productId(), entry));
    }
    scene.tell("a relay has read " + held.size() + " entries and hangs");
    flush(scene);
    network.heal();
    return held;
  }

  private static void wake(Scene scene, List<ProducerRecord<byte[], byte[]>> held) {
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
