package io.seckill.drill.fault;

import io.seckill.drill.agent.Control;
import io.seckill.drill.lab.Application;
import io.seckill.drill.lab.Machine;
import io.seckill.drill.lab.Stores;
import io.seckill.drill.net.TcpProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** All faults. Their durations are scaled down like the time-outs of the drilled application. */
public final class Faults {
  private static final long SHORT = 1_000;

  /** Longer than the Kafka session and every time-out of the application. */
  static final long LONG = 4_500;

  /** Longer than Kafka's max.poll.interval. */
  private static final long BEYOND_POLL = 8_500;

  private static final long PATIENCE = 10_000;

  private static final List<String> BEYOND_POLL_AT =
      List.of(
          "order-writer-transaction/insert-orders:before",
          "order-writer-transaction/one-transaction:after",
          "order-writer/commit-offsets:before");

  private Faults() {}

  /** By name, in a fixed order. */
  public static Map<String, Fault> all() {
    List<Fault> faults = new ArrayList<>();
    faults.add(Fault.anywhere("none", "Nothing breaks.", scene -> scene.pause(SHORT)));
    application(faults);
    crashPoints(faults);
    redis(faults);
    faults.addAll(LossFaults.all());
    kafka(faults);
    faults.addAll(MySqlFaults.all());
    faults.addAll(MessageFaults.all());
    faults.addAll(OperatorFaults.all());
    faults.addAll(SleepFaults.all());
    Map<String, Fault> byName = new LinkedHashMap<>();
    faults.forEach(
        fault -> {
          if (byName.put(fault.name(), fault) != null) {
            throw new IllegalStateException("Two faults are named " + fault.name());
          }
        });
    return byName;
  }

  private static void application(List<Fault> faults) {
    faults.add(
        Fault.anywhere(
            "app-kill",
            "The application is killed (SIGKILL) and started again.",
            scene -> {
              Application node = scene.nodes().get(0);
              scene.pause(scene.random().nextInt(500));
              scene.tell("SIGKILL to the application");
              node.machine().kill();
              node.machine().start();
              scene.tell("the application is up again");
            }));
    faults.add(
        Fault.anywhere(
            "app-restart",
            "The application is stopped in good order and started again.",
            scene -> {
              Application node = scene.nodes().get(0);
              scene.tell("SIGTERM to the application");
              node.machine().stop();
              node.machine().start();
              scene.tell("the application is up again");
            }));
    faults.add(
        Fault.anywhere(
            "app-pause",
            "The application stands still (SIGSTOP) for a second.",
            scene -> suspend(scene, scene.nodes().get(0).machine(), SHORT)));
    faults.add(
        Fault.anywhere(
                "app-pause-long",
                "One of two nodes stands still longer than its Kafka session, then continues.",
                scene -> {
                  Application node = scene.nodes().get(1);
                  scene.takeOut(node);
                  suspend(scene, node.machine(), LONG);
                  scene.putBack(node);
                })
            .with(Setup.TWO_NODES));
    faults.add(
        Fault.anywhere(
            "second-node",
            "A second node comes and goes: Kafka rebalances twice.",
            scene -> {
              scene.tell("a second node starts");
              Application node = scene.addNode();
              scene.pause(SHORT);
              if (scene.random().nextBoolean()) {
                scene.tell("SIGTERM to the second node");
                node.machine().stop();
              } else {
                scene.tell("SIGKILL to the second node");
                node.machine().kill();
              }
            }));
    faults.add(
        Fault.anywhere(
                "relay-hangs",
                "The relay of one of two nodes hangs holding entries until the other has claimed"
                    + " them.",
                scene ->
                    stall(scene, scene.nodes().get(0), "outbox-relay/publish-orders:before", LONG))
            .with(Setup.TWO_NODES));
    for (String point : BEYOND_POLL_AT) {
      faults.add(
          Fault.anywhere(
              "writer-hangs-" + name(point),
              "A writer hangs at "
                  + point
                  + " longer than Kafka's max.poll.interval; the other one gets its partitions.",
              scene -> stall(scene, scene.nodes().get(0), point, BEYOND_POLL)));
    }
    for (int direction : new int[] {1, -1}) {
      faults.add(
          Fault.anywhere(
              direction > 0 ? "clock-forward" : "clock-back",
              "The application's clock is shifted by " + direction + " h and back again.",
              scene -> {
                Control control = scene.nodes().get(0).control();
                scene.tell("the clock of the application jumps by " + direction + " h");
                control.shiftClock(direction * 3_600_000L);
                scene.pause(SHORT * 2);
                scene.tell("the clock jumps back");
                control.shiftClock(0);
              }));
    }
  }

  private static void crashPoints(List<Fault> faults) {
    Stream.of(Window.values())
        .flatMap(window -> window.points().stream())
        .distinct()
        .sorted()
        .forEach(
            point -> {
              faults.add(crash(point));
              faults.add(stallAt(point));
            });
  }

  /** Name of the fault that ends the application at a point. */
  public static String crashAt(String point) {
    return "halt-" + name(point);
  }

  private static String name(String point) {
    return point.substring(point.indexOf('/') + 1).replace(':', '-');
  }

  /** These points are reached only when MySQL refuses orders. */
  static boolean needsRefusals(String point) {
    return point.startsWith("dead-letter")
        || point.startsWith("compensation")
        || point.contains("release-units");
  }

  private static Fault crash(String point) {
    Fault fault =
        new Fault(
            crashAt(point),
            "The application ends at once, as if killed, at " + point + " and is started again.",
            needsRefusals(point),
            Setup.USUAL,
            scene -> {
              Application node = scene.nodes().get(0);
              if (needsRefusals(point)) {
                MySqlFaults.refuseSome(scene);
              }
              int nth = 1 + scene.random().nextInt(3);
              node.control().disarm();
              node.control().arm(new Control.Stop(point, nth, 0));
              scene.await(PATIENCE, () -> !node.machine().isRunning());
              boolean reached = !node.machine().isRunning();
              node.control().disarm();
              if (reached) {
                scene.tell("ended dead at " + point);
              } else {
                scene.missed("never reached " + point);
              }
              if (needsRefusals(point)) {
                MySqlFaults.refuseNoMore(scene);
              }
              if (reached) {
                node.machine().awaitEnd();
                node.machine().start();
                scene.tell("the application is up again");
              }
            });
    return fault;
  }

  private static Fault stallAt(String point) {
    return new Fault(
        crashAt(point).replace("halt-", "stall-"),
        "The application stands still at " + point + " for a second.",
        needsRefusals(point),
        Setup.USUAL,
        scene -> {
          if (needsRefusals(point)) {
            MySqlFaults.refuseSome(scene);
          }
          stall(scene, scene.nodes().get(0), point, SHORT);
          if (needsRefusals(point)) {
            MySqlFaults.refuseNoMore(scene);
          }
        });
  }

  private static void stall(Scene scene, Application node, String point, long millis)
      throws IOException {
    Control control = node.control();
    control.disarm();
    control.arm(new Control.Stop(point, 1 + scene.random().nextInt(3), 2 * millis));
    if (scene.await(PATIENCE, () -> control.reached(point) > 0)) {
      scene.tell("stands still at " + point);
      scene.pause(millis);
      scene.tell("goes on");
    } else {
      scene.missed("never reached " + point);
    }
    control.disarm();
  }

  static void suspend(Scene scene, Machine machine, long millis) {
    scene.tell("SIGSTOP to " + machine.name());
    machine.suspend();
    scene.pause(millis);
    machine.resume();
    scene.tell("SIGCONT to " + machine.name());
  }

  /** Kills a machine, waits a while, and starts it. */
  static void killAndStart(Scene scene, Machine machine, long awayMillis) {
    scene.tell("SIGKILL to " + machine.name());
    machine.kill();
    scene.pause(awayMillis);
    machine.start();
    scene.tell(machine.name() + " is up again");
  }

  private static void restart(Scene scene, Machine machine) {
    scene.tell("SIGTERM to " + machine.name());
    machine.stop();
    machine.start();
    scene.tell(machine.name() + " is up again");
  }

  static void network(
      List<Fault> faults,
      String server,
      java.util.function.Function<Scene, TcpProxy> network,
      boolean ownServers,
      long slowMillis) {
    faults.add(
        new Fault(
            server + "-cut",
            "Connections to " + server + " are cut and refused.",
            ownServers,
            Setup.USUAL,
            scene -> bad(scene, server, network.apply(scene), TcpProxy.Mode.CUT, SHORT)));
    faults.add(
        new Fault(
            server + "-stalled",
            "Nothing passes to or from "
                + server
                + ", connections stay open; then all arrives late.",
            ownServers,
            Setup.USUAL,
            scene -> bad(scene, server, network.apply(scene), TcpProxy.Mode.STALL, SHORT * 2)));
    faults.add(
        new Fault(
            server + "-half-open",
            "Requests reach " + server + "; its replies come much later.",
            ownServers,
            Setup.USUAL,
            scene ->
                bad(scene, server, network.apply(scene), TcpProxy.Mode.STALL_REPLIES, SHORT * 2)));
    faults.add(
        new Fault(
            server + "-slow",
            "The network to " + server + " is slow: " + slowMillis + " ms each way.",
            ownServers,
            Setup.USUAL,
            scene -> {
              scene.tell(slowMillis + " ms each way to " + server);
              network.apply(scene).delay(slowMillis);
              scene.pause(Math.max(SHORT * 2, 4 * slowMillis));
              network.apply(scene).heal();
              scene.tell("the network is fast again");
            }));
    faults.add(
        new Fault(
            server + "-flapping",
            "Connections to " + server + " are reset again and again.",
            ownServers,
            Setup.USUAL,
            scene -> {
              scene.tell("connections to " + server + " are reset again and again");
              for (int i = 0; i < 12; i++) {
                network.apply(scene).reset();
                scene.pause(20 + scene.random().nextInt(200));
              }
            }));
  }

  private static void bad(
      Scene scene, String server, TcpProxy network, TcpProxy.Mode mode, long millis) {
    scene.tell("the network to " + server + ": " + mode);
    network.mode(mode);
    scene.pause(millis);
    network.heal();
    scene.tell("the network to " + server + " is good again");
  }

  private static void redis(List<Fault> faults) {
    network(faults, "redis", scene -> scene.lab().redisNetwork(), false, 120);
    faults.add(
        Fault.ownServers(
            "redis-kill",
            "Redis is killed and comes back with all it acknowledged.",
            scene -> killAndStart(scene, scene.lab().redis(), SHORT / 2)));
    faults.add(
        Fault.ownServers(
            "redis-restart",
            "Redis is stopped in good order and started again.",
            scene -> restart(scene, scene.lab().redis())));
    faults.add(
        Fault.ownServers(
            "redis-pause",
            "Redis stands still (SIGSTOP) for a second.",
            scene -> suspend(scene, scene.lab().redis(), SHORT)));
    faults.add(
        Fault.ownServers(
            "redis-pause-long",
            "Redis stands still (SIGSTOP) longer than every time-out.",
            scene -> suspend(scene, scene.lab().redis(), LONG)));
    faults.add(
        Fault.ownServers(
            "redis-full",
            "Redis is out of memory and refuses writes.",
            scene -> {
              scene.tell("maxmemory 1 MB, noeviction");
              scene.lab().stores().redis().configSet("maxmemory", "1000000");
              scene.pause(SHORT * 2);
              scene.lab().stores().redis().configSet("maxmemory", "0");
              scene.tell("maxmemory without limit again");
            }));
    faults.add(
        Fault.ownServers(
            "redis-script-flush",
            "Redis forgets its scripts, again and again.",
            scene -> {
              scene.tell("SCRIPT FLUSH, ten times");
              for (int i = 0; i < 10; i++) {
                scene.lab().stores().redis().scriptFlush();
                scene.pause(100);
              }
            }));
  }

  private static void kafka(List<Fault> faults) {
    network(faults, "kafka", scene -> scene.lab().kafkaNetwork().orElseThrow(), true, 100);
    faults.add(
        Fault.ownServers(
            "kafka-kill",
            "Kafka is killed and started again.",
            scene -> killAndStart(scene, scene.lab().kafka(), SHORT / 2)));
    faults.add(
        Fault.ownServers(
            "kafka-restart",
            "Kafka is stopped in good order and started again.",
            scene -> restart(scene, scene.lab().kafka())));
    faults.add(
        Fault.ownServers(
            "kafka-pause",
            "Kafka stands still (SIGSTOP) for a second.",
            scene -> suspend(scene, scene.lab().kafka(), SHORT)));
    faults.add(
        Fault.ownServers(
            "kafka-pause-long",
            "Kafka stands still (SIGSTOP) longer than every time-out.",
            scene -> suspend(scene, scene.lab().kafka(), LONG)));
  }

  /** The newest file of a folder whose name has this suffix. */
  static Optional<Path> newest(Path folder, String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(suffix))
          .max(Comparator.comparingLong(file -> file.toFile().lastModified()));
    }
  }

  static String key(long productId, String part) {
    return Stores.key(productId, part);
  }
}
