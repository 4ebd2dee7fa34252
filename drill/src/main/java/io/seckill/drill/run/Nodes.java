package io.seckill.drill.run;

import io.seckill.drill.fault.Setup;
import io.seckill.drill.lab.Application;
import io.seckill.drill.lab.Lab;
import io.seckill.drill.lab.LabException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The application's nodes. They are kept for the next run if it wants the same settings. */
final class Nodes implements AutoCloseable {
  /** Time-outs scaled down, so that a run takes seconds. */
  private static final Map<String, String> USUAL =
      Map.ofEntries(
          Map.entry("seckill.relay.claim-idle", "1500"),
          Map.entry("seckill.sweeper.period", "500"),
          Map.entry("seckill.sweeper.pending-limit", "4000"),
          Map.entry("seckill.writer.retry-delay", "500"),
          Map.entry("seckill.writer.hold", "3000"),
          Map.entry("seckill.kafka.session-timeout", "3000"),
          Map.entry("seckill.kafka.max-poll-interval", "7000"),
          Map.entry("seckill.kafka.send-timeout", "4000"),
          Map.entry("seckill.kafka.request-timeout", "2000"),
          Map.entry("seckill.redis.background-timeout", "1500"),
          Map.entry("seckill.redis.stall-timeout", "2500"),
          Map.entry("seckill.compensation.period", "500"),
          Map.entry("seckill.compensation.parked-for", "5000"),
          Map.entry("seckill.sale.watch-period", "300"),
          Map.entry("seckill.watch.ledgers-interval", "1000"),
          Map.entry("seckill.settlement.interval", "1000"),
          Map.entry("seckill.throttle.user-rate", "0"),
          Map.entry("camel.main.shutdownTimeout", "5"));

  private final Lab lab;
  private final List<Path> changedFiles;
  private final List<Application> nodes = new ArrayList<>();
  private Map<String, String> current;

  /**
   * @param changedFiles folders whose files come before the application's own
   */
  Nodes(Lab lab, List<Path> changedFiles) {
    this.lab = lab;
    this.changedFiles = changedFiles;
  }

  /**
   * Nodes with the wanted settings, all started. Running nodes with these settings are used again.
   */
  List<Application> provide(Setup setup, String strategy) {
    Map<String, String> wanted = new LinkedHashMap<>(USUAL);
    wanted.put("seckill.strategy", strategy);
    wanted.putAll(setup.properties());
    lab.stopSentinel();
    if (setup.sentinel()) {
      wanted.put("seckill.redis.uri", lab.startSentinel());
    }
    if (!Objects.equals(wanted, current)) {
      close();
      current = wanted;
    }
    while (nodes.size() > setup.nodes()) {
      nodes.remove(nodes.size() - 1).machine().stop();
    }
    while (nodes.size() < setup.nodes()) {
      nodes.add(make());
    }
    try {
      CompletableFuture.allOf(
              nodes.stream()
                  .map(node -> CompletableFuture.runAsync(() -> node.machine().start()))
                  .toArray(CompletableFuture[]::new))
          .join();
    } catch (CompletionException e) {
      throw new LabException("The application does not start", e.getCause());
    }
    return List.copyOf(nodes);
  }

  /** One more node with the same settings, not started and not kept. */
  Application make() {
    return lab.application(current, changedFiles);
  }

  @Override
  public void close() {
    nodes.forEach(node -> node.machine().stop());
    nodes.clear();
  }
}
