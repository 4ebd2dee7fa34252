package io.seckill.drill.fault;

import io.seckill.drill.agent.Control;
import io.seckill.drill.lab.Application;
import io.seckill.drill.lab.Stores;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Messages come again and again, late, out of order, unreadable, or as dead letters. */
final class MessageFaults {
  private static final int TEN = 10;

  private MessageFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.anywhere(
            "messages-ten-times",
            "Every message is delivered ten times, in any order.",
            scene -> {
              for (int round = 0; round < 3; round++) {
                scene.pause(500);
                again(scene, Stores.ORDERS, TEN - 1);
              }
            }),
        Fault.anywhere(
            "dead-letters-first",
            "Messages are compensated as dead letters before the writer comes to them.",
            MessageFaults::deadLettersFirst),
        Fault.anywhere(
            "dead-letters-before-confirm",
            "Messages are compensated as dead letters between the writer's commit and its confirm.",
            MessageFaults::deadLettersBeforeConfirm),
        Fault.anywhere(
            "two-writers",
            "Two writers have the same messages: one stands still before its insert, the other"
                + " between its commit and its confirm.",
            MessageFaults::twoWriters),
        Fault.anywhere(
            "dead-letters-of-orders",
            "Dead letters come of messages that became orders, and of such that will.",
            scene -> {
              for (int round = 0; round < 5; round++) {
                scene.pause(250);
                deadLetters(scene, 0.3);
              }
            }),
        Fault.anywhere(
            "unreadable-records",
            "Records that are no orders lie among the orders.",
            MessageFaults::unreadable),
        Fault.ownServers(
                "dead-letters-twice",
                "Parked dead letters are replayed twice, compensated twice, or both.",
                MessageFaults::twice)
            .with(Setup.with("seckill.compensation", "manual")));
  }

  /** Sends what is in a topic once more. */
  static void again(Scene scene, String topic, int times) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : scene.records(topic)) {
      if (Stores.order(record.value()).isPresent()) {
        for (int i = 0; i < times; i++) {
          records.add(
              new ProducerRecord<>(topic, null, record.key(), record.value(), record.headers()));
        }
      }
    }
    Collections.shuffle(records, scene.random());
    if (records.size() > 20_000) {
      records = records.subList(0, 20_000);
    }
    scene.lab().stores().produce(records);
    scene.tell(records.size() + " records sent to " + topic + " again");
  }

  private static void deadLettersFirst(Scene scene) throws Exception {
    Application node = scene.nodes().get(0);
    node.control().disarm();
    node.control().arm(new Control.Stop("order-writer/write-batch:before", 1, 3_000));
    boolean reached = scene.await(8_000, () -> !node.control().deeds().isEmpty());
    scene.tell(reached ? "a writer stands still before its batch" : "no writer had work");
    scene.pause(700);
    deadLetters(scene, 1);
    scene.pause(2_500);
    node.control().disarm();
    scene.tell("the writer goes on");
  }

  private static void deadLettersBeforeConfirm(Scene scene) throws Exception {
    Application node = scene.nodes().get(0);
    node.control().disarm();
    node.control().arm(new Control.Stop("order-writer-outcomes/confirm-orders:before", 1, 3_000));
    boolean reached = scene.await(8_000, () -> !node.control().deeds().isEmpty());
    scene.tell(reached ? "a writer stands still before its confirm" : "no writer had work");
    scene.pause(100);
    deadLetters(scene, 1);
    scene.pause(3_000);
    node.control().disarm();
    scene.tell("the writer goes on");
  }

  private static void twoWriters(Scene scene) throws Exception {
    Application node = scene.nodes().get(0);
    node.control().disarm();
    node.control()
        .arm(
            new Control.Stop("order-writer-transaction/insert-orders:before", 1, 2_500),
            new Control.Stop("order-writer-outcomes/confirm-orders:before", 1, 4_500));
    boolean reached = scene.await(8_000, () -> !node.control().deeds().isEmpty());
    scene.tell(reached ? "a writer stands still before its insert" : "no writer had work");
    // every partition, so to the other writer too
    List<ProducerRecord<byte[], byte[]>> copies = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : scene.records(Stores.ORDERS)) {
      for (TopicPartition partition : scene.begin(Stores.ORDERS).keySet()) {
        copies.add(
            new ProducerRecord<>(Stores.ORDERS, partition.partition(), null, record.value()));
      }
    }
    scene.lab().stores().produce(copies);
    scene.tell("all messages sent to every partition");
    scene.pause(5_000);
    scene.tell("both go on: " + node.control().deeds());
    node.control().disarm();
  }

  /** Makes dead letters of a share of the messages. */
  static void deadLetters(Scene scene, double share) {
    List<ProducerRecord<byte[], byte[]>> letters = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : scene.records(Stores.ORDERS)) {
      if (Stores.order(record.value()).isPresent() && scene.random().nextDouble() < share) {
        letters.add(letter(record));
      }
    }
    scene.lab().stores().produce(letters);
    scene.tell(letters.size() + " messages sent as dead letters");
  }

  private static ProducerRecord<byte[], byte[]> letter(ConsumerRecord<byte[], byte[]> record) {
    ProducerRecord<byte[], byte[]> letter =
        new ProducerRecord<>(Stores.DEAD_LETTERS, record.key(), record.value());
    letter
        .headers()
        .add(
            "seckill-source",
            bytes(record.topic() + "-" + record.partition() + "@" + record.offset()))
        .add("seckill-cause", bytes("sent by the drill"))
        .add("seckill-attempts", bytes("1"));
    return letter;
  }

  private static void unreadable(Scene scene) {
    String[] values = {
      "",
      "{",
      "[]",
      "null",
      "{\"v\":1}",
      "{\"v\":99,\"requestId\":\"1-1-x\"}",
      "\u0000\u0001",
      "[[["
    };
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String value = values[scene.random().nextInt(values.length)];
      records.add(new ProducerRecord<>(Stores.ORDERS, bytes("drill-" + i), bytes(value)));
    }
    records.add(new ProducerRecord<>(Stores.ORDERS, bytes("drill"), null));
    for (int from = 0; from < records.size(); from += 8) {
      scene.lab().stores().produce(records.subList(from, Math.min(records.size(), from + 8)));
      scene.pause(250);
    }
    scene.tell(records.size() + " records that are no orders sent");
  }

  private static void twice(Scene scene) throws SQLException {
    MySqlFaults.refuseSome(scene);
    scene.pause(1_500);
    MySqlFaults.refuseNoMore(scene);
    scene.pause(300);
    String[][] ways = {
      {"replay", "replay"},
      {"compensate", "compensate"},
      {"replay", "compensate"},
      {"compensate", "replay"}
    };
    List<Long> parked = parked(scene);
    scene.tell(parked.size() + " dead letters are parked");
    for (long id : parked) {
      String[] way = ways[scene.random().nextInt(ways.length)];
      for (String step : way) {
        scene.admin("POST", "/admin/dead-letters/" + id + "/" + step);
      }
    }
    scene.tell("each was handled twice");
  }

  private static List<Long> parked(Scene scene) throws SQLException {
    List<Long> ids = new ArrayList<>();
    try (Connection connection = scene.lab().stores().mysql();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT id FROM dead_letters WHERE product_id = ? AND state = 'PARKED'")) {
      statement.setLong(1, scene.productId());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          ids.add(rows.getLong(1));
        }
      }
    }
    return ids;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
