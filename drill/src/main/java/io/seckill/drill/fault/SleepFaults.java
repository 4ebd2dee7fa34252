package io.seckill.drill.fault;

import io.seckill.drill.agent.Control;
import io.seckill.drill.lab.Application;
import io.seckill.drill.lab.Machine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Faults in which a node falls asleep at a crash point and Redis changes before it wakes: killed,
 * restarted, emptied, back from an older copy, or replaced by a replica that is behind. The seed
 * decides which, whether there is a third node, and whether an operator rebuilds meanwhile.
 */
final class SleepFaults {
  private static final long PATIENCE = 10_000;

  /** The agent stands still there for as long as the process is stopped. */
  private static final long STAND_MILLIS = 120_000;

  private static final long ADOPTION_MILLIS = 8_000;

  /** Here the sleeper holds the sale's row in MySQL. */
  private static final String IN_TRANSACTION = "order-writer-transaction/insert-orders:before";

  /** Before MySQL's epoch is raised, with the sale's row locked; and before the book takes it. */
  private static final List<String> ADOPTING =
      List.of("book-adoption-epoch/raise-sale-epoch:before", "book-adoption/take-adopted:before");

  /** Longer than MySQL keeps the transaction of a node that sleeps. */
  private static final long ROW_MILLIS = 20_000;

  private static final long FAILOVER_MILLIS = 30_000;

  private enum Change {
    KILLED,
    RESTARTED,
    EMPTIED,
    OLDER_COPY,
    LAGGING_REPLICA
  }

  private SleepFaults() {}

  static List<Fault> all() {
    List<Fault> faults = new ArrayList<>();
    faults.add(
        Fault.ownServers(
                "redis-replaced-by-lagging-replica",
                "A replica that is behind takes the place of Redis; some connections stay with the"
                    + " one before, which lives on for a while.",
                scene -> {
                  scene.lab().replicateRedis();
                  scene.pause(scene.random().nextInt(300));
                  scene.lab().leaveReplicaBehind();
                  scene.pause(scene.random().nextInt(800));
                  replace(scene);
                  scene.pause(1_000);
                })
            .with(Setup.TWO_NODES));
    faults.add(
        Fault.ownServers(
                "sentinel-fails-over",
                "Redis is killed, and Sentinel makes a replica the master that lacks what came"
                    + " last; an operator rebuilds the book.",
                SleepFaults::failsOver)
            .with(Setup.SENTINEL));
    for (String step : ADOPTING) {
      faults.add(
          Fault.ownServers(
                  Faults.crashAt(step).replace("halt-", "adopter-sleeps-at-"),
                  "A node stands still (SIGSTOP) at "
                      + step
                      + " while it adopts a book; another one has to.",
                  scene -> adopterSleeps(scene, step))
              .with(Setup.TWO_NODES));
    }
    Stream.concat(
            Stream.of(Window.values()).flatMap(window -> window.points().stream()),
            Stream.of(IN_TRANSACTION))
        .distinct()
        .sorted()
        .forEach(
            point ->
                faults.add(
                    Fault.ownServers(
                            Faults.crashAt(point).replace("halt-", "sleeps-at-"),
                            "A node stands still (SIGSTOP) at "
                                + point
                                + " while Redis is killed, emptied, older or replaced.",
                            scene -> sleep(scene, point))
                        .with(Setup.TWO_NODES)));
    return faults;
  }

  private static void failsOver(Scene scene) {
    scene.lab().cutReplicaOff();
    scene.tell("the replica gets nothing any more");
    scene.pause(scene.random().nextInt(800));
    scene.redisLost("Redis is killed");
    scene.lab().redis().kill();
    if (!scene.await(FAILOVER_MILLIS, scene.lab()::isReplicaMaster)) {
      scene.missed("Sentinel did not make the replica the master");
      scene.lab().leaveReplicaBehind();
    }
    scene.lab().promoteReplica();
    scene.redisLost("the replica is the master");
    scene.pause(1_000);
    scene.rebuild();
  }

  private static void sleep(Scene scene, String point) throws Exception {
    Change change = Change.values()[scene.random().nextInt(Change.values().length)];
    boolean rebuild = scene.random().nextBoolean();
    if (scene.random().nextInt(3) == 0) {
      scene.tell("a third node starts");
      scene.putBack(scene.addNode());
    }
    Path copy = change == Change.OLDER_COPY ? LossFaults.copy(scene) : null;
    if (change == Change.LAGGING_REPLICA) {
      scene.lab().replicateRedis();
      scene.lab().leaveReplicaBehind();
    }
    if (Faults.needsRefusals(point)) {
      MySqlFaults.refuseSome(scene);
    }
    arm(scene, point, 1 + scene.random().nextInt(3));
    Application sleeper = stop(scene, point);
    try {
      scene.pause(scene.random().nextInt(300));
      String before = LossFaults.run(scene);
      change(scene, change, copy);
      boolean adopted =
          change != Change.EMPTIED
              && scene.await(ADOPTION_MILLIS, () -> !LossFaults.run(scene).equals(before));
      scene.tell(adopted ? "the book was found current" : "the book is not adopted");
      if (rebuild) {
        scene.rebuild();
      }
      scene.pause(500);
    } finally {
      if (Faults.needsRefusals(point)) {
        MySqlFaults.refuseNoMore(scene);
      }
      wake(scene, sleeper);
    }
    scene.pause(500);
  }

  private static void adopterSleeps(Scene scene, String step) throws Exception {
    String before = LossFaults.run(scene);
    arm(scene, step, 1);
    Faults.killAndStart(scene, scene.lab().redis(), 100);
    Application sleeper = stop(scene, step);
    boolean adopted = scene.await(ROW_MILLIS, () -> !LossFaults.run(scene).equals(before));
    if (adopted) {
      scene.tell("another node has adopted the book");
    } else {
      scene.missed("no other node has adopted the book");
    }
    scene.pause(500);
    wake(scene, sleeper);
    scene.pause(500);
  }

  private static void arm(Scene scene, String point, int nth) throws Exception {
    for (Application node : scene.nodes()) {
      node.control().disarm();
      node.control().arm(new Control.Stop(point, nth, STAND_MILLIS));
    }
  }

  private static void wake(Scene scene, Application sleeper) throws Exception {
    for (Application node : scene.nodes()) {
      node.control().disarm();
    }
    if (sleeper != null) {
      sleeper.machine().resume();
      scene.tell("SIGCONT to " + sleeper.machine().name());
      scene.putBack(sleeper);
    }
  }

  /** The first node that comes to the point, stopped there; null when none comes. */
  private static Application stop(Scene scene, String point) throws Exception {
    Application[] sleeper = {null};
    boolean reached =
        scene.await(
            PATIENCE,
            () -> {
              for (Application node : scene.nodes()) {
                if (node.control().reached(point) > 0) {
                  sleeper[0] = node;
                }
              }
              return sleeper[0] != null;
            });
    if (!reached) {
      scene.missed("never reached " + point);
      return null;
    }
    sleeper[0].machine().suspend();
    scene.takeOut(sleeper[0]);
    scene.tell("SIGSTOP to " + sleeper[0].machine().name() + " at " + point);
    for (Application node : scene.nodes()) {
      if (node != sleeper[0]) {
        node.control().disarm();
      }
    }
    return sleeper[0];
  }

  private static void change(Scene scene, Change change, Path copy) throws Exception {
    Machine redis = scene.lab().redis();
    switch (change) {
      case KILLED -> Faults.killAndStart(scene, redis, 300);
      case RESTARTED -> {
        redis.stop();
        redis.start();
        scene.tell("Redis was restarted");
      }
      case EMPTIED -> LossFaults.flush(scene);
      case OLDER_COPY -> LossFaults.restore(scene, copy);
      case LAGGING_REPLICA -> replace(scene);
    }
  }

  /** As a failover does that the master of before has not noticed. */
  private static void replace(Scene scene) {
    scene.redisLost("a replica that is behind takes the place of Redis");
    Machine before = scene.lab().promoteReplica();
    scene.lab().redisNetwork().resetOne();
    scene.tell("one connection is led to the replica");
    scene.pause(300);
    before.kill();
    scene.redisLost("the one before is gone");
  }
}
