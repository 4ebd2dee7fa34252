package io.seckill.drill.fault;

import io.seckill.drill.agent.Control;
import io.seckill.drill.lab.Stores;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Faults with messages that are repeated, late, out of order, unreadable, or dead letters. */
final class MessageFaults {
  private static final int TEN = 10;
  private static final long PATIENCE = 8_000;

  /** Limit for a writer that stands still; it is released earlier. */
  private static final long STAND_MILLIS = 20_000;

  private static final String BEFORE_BATCH = "order-writer/write-batch:before";
  private static final String BEFORE_INSERT = "order-writer-transaction/insert-orders:before";
  private static final String BEFORE_CONFIRM = "order-writer-outcomes/confirm-orders:before";

  private MessageFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.anywhere(
            "messages-ten-times",
            "Every message is delivered ten times, in any order.",
            scene -> {
              Set<String> sent = new HashSet<>();
              for (int round = 0; round < 3; round++) {
                scene.pause(500);
                again(scene, sent);
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
            "Dead letters arrive for messages that are already orders, and for some that will be.",
            scene -> {
              for (int round = 0; round < 5; round++) {
                scene.pause(250);
                deadLetters(scene, requestId -> scene.random().nextInt(10) < 3);
              }
            }),
        Fault.anywhere(
            "unreadable-records",
            "Unreadable records lie among the orders.",
            MessageFaults::unreadable),
        Fault.ownServers(
                "dead-letters-twice",
                "Parked dead letters are replayed twice, compensated twice, or both.",
                MessageFaults::twice)
            .with(Setup.with("seckill.compensation", "manual")));
  }

  /**
   * Sends each message nine more times.
   *
   * @param sent requestIds of messages that were sent before and are not sent again
   */
  private static void again(Scene scene, Set<String> sent) {
    List<ProducerRecord<byte[], byte[]>> copies = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : scene.records(Stores.ORDERS)) {
      if (sent.add(requestId(record))) {
        for (int i = 1; i < TEN; i++) {
          copies.add(
              new ProducerRecord<>(
                  record.topic(), null, record.key(), record.value(), record.headers()));
        }
      }
    }
    Collections.shuffle(copies, scene.random());
    scene.lab().stores().produce(copies);
    scene.tell(copies.size() + " copies of messages sent");
  }

  private static String requestId(ConsumerRecord<byte[], byte[]> record) {
    return Stores.order(record.value()).orElseThrow().path("requestId").asText();
  }

  private static void deadLettersFirst(Scene scene) throws Exception {
    Control control = scene.nodes().get(0).control();
    standAt(scene, control, BEFORE_BATCH);
    scene.pause(500);
    deadLetters(scene, pending(scene)::contains);
    awaitDeadLetters(scene);
    control.disarm();
    scene.tell("the writer goes on");
  }

  private static void deadLettersBeforeConfirm(Scene scene) throws Exception {
    Control control = scene.nodes().get(0).control();
    standAt(scene, control, BEFORE_CONFIRM);
    deadLetters(scene, pending(scene)::contains);
    awaitDeadLetters(scene);
    control.disarm();
    scene.tell("the writer goes on");
  }

  /**
   * One writer stands still before its insert. The other one gets the same messages, writes them
   * and is stopped between commit and confirm. Then the first one continues.
   */
  private static void twoWriters(Scene scene) throws Exception {
    Control control = scene.nodes().get(0).control();
    standAt(scene, control, BEFORE_INSERT);
    Set<String> messages = new HashSet<>();
    // to every partition, so the other writer gets it too
    List<ProducerRecord<byte[], byte[]>> copies = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : scene.records(Stores.ORDERS)) {
      messages.add(requestId(record));
      for (TopicPartition partition : scene.begin(Stores.ORDERS).keySet()) {
        copies.add(
            new ProducerRecord<>(Stores.ORDERS, partition.partition(), null, record.value()));
      }
    }
    scene.lab().stores().produce(copies);
    scene.tell("all messages sent to every partition");
    boolean both = false;
    boolean stands = true;
    // it may have worked on other messages first
    for (int batches = 0; stands && !both; batches++) {
      int before = batches;
      control.arm(new Control.Stop(BEFORE_CONFIRM, 1, STAND_MILLIS));
      stands = scene.await(3_000, () -> control.reached(BEFORE_CONFIRM) > before);
      both = stands && written(scene).containsAll(messages);
    }
    if (both) {
      scene.tell("the other writer has written them and stands still before its confirm");
    } else {
      scene.missed("the other writer never stood still before the confirm of these messages");
    }
    control.release(BEFORE_INSERT);
    scene.tell("the first one goes on");
    scene.pause(700);
    control.disarm();
    scene.tell("the other one goes on");
  }

  /** Stalls a writer at a point until it is released. */
  private static void standAt(Scene scene, Control control, String point) throws IOException {
    control.disarm();
    control.arm(new Control.Stop(point, 1, STAND_MILLIS));
    if (scene.await(PATIENCE, () -> control.reached(point) > 0)) {
      scene.tell("a writer stands still at " + point);
    } else {
      scene.missed("no writer came to " + point);
    }
  }

  private static void awaitDeadLetters(Scene scene) {
    boolean done = scene.await(PATIENCE, () -> scene.lab().stores().lag(Stores.DEAD_LETTERS) == 0);
    if (!done) {
      scene.missed("the dead letters were not worked off meanwhile");
    }
  }

  /** Reservations that have a row in MySQL. */
  private static Set<String> written(Scene scene) throws SQLException {
    Set<String> requestIds = new HashSet<>();
    try (Connection connection = scene.lab().stores().mysql();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT request_id FROM seckill_orders WHERE product_id = ?")) {
      statement.setLong(1, scene.productId());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          requestIds.add(rows.getString(1));
        }
      }
    }
    return requestIds;
  }

  /** Reservations that have not ended. */
  private static Set<String> pending(Scene scene) {
    Set<String> requestIds = new HashSet<>();
    for (String entry :
        scene.lab().stores().redis().hvals(Stores.key(scene.productId(), "users"))) {
      String[] parts = entry.split("\\|", -1);
      if (parts[3].equals("PENDING")) {
        requestIds.add(parts[0]);
      }
    }
    return requestIds;
  }

  /**
   * Makes dead letters of messages.
   *
   * @param which by requestId
   */
  private static void deadLetters(Scene scene, Predicate<String> which) {
    List<ProducerRecord<byte[], byte[]>> letters = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : scene.records(Stores.ORDERS)) {
      if (which.test(requestId(record))) {
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
    scene.tell(records.size() + " unreadable records sent");
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
