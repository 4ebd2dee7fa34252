package io.seckill.drill.run;

import io.seckill.drill.check.Breach;
import io.seckill.drill.fault.Fault;
import io.seckill.drill.fault.Faults;
import io.seckill.drill.fault.Setup;
import io.seckill.drill.lab.Application;
import io.seckill.drill.lab.Lab;
import io.seckill.drill.plant.Planted;
import io.seckill.drill.plant.PlantedBugs;
import io.seckill.drill.report.Result;
import io.seckill.drill.report.RunReport;
import io.seckill.drill.report.Summary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Plants bugs and checks that the checker finds them. When a control turns off the application's
 * own repair, the same run without the bug must hold.
 */
final class Controls {
  private static final int TRIES = 3;

  /** Shorter than the usual bound, so that a planted bug is seen sooner. */
  private static final long BOUND_MILLIS = 12_000;

  private final Lab lab;
  private final LongSupplier products;
  private final Options options;
  private final Progress progress;

  Controls(Lab lab, LongSupplier products, Options options, Progress progress) {
    this.lab = lab;
    this.products = products;
    this.options = options;
    this.progress = progress;
  }

  /**
   * The bugs that the options name.
   *
   * @throws IllegalArgumentException for an unknown name
   */
  static List<Planted> named(String names) {
    if (names == null) {
      return PlantedBugs.all();
    }
    Map<String, Planted> all = new LinkedHashMap<>();
    PlantedBugs.all().forEach(bug -> all.put(bug.name(), bug));
    List<Planted> bugs = new ArrayList<>();
    for (String name : names.split(",")) {
      if (!all.containsKey(name)) {
        throw new IllegalArgumentException("No planted bug is named " + name + ": " + all.keySet());
      }
      bugs.add(all.get(name));
    }
    return bugs;
  }

  Summary.Control plant(Planted bug) throws Exception {
    Path folder = lab.scratch().resolve("planted").resolve(bug.name()).toAbsolutePath();
    bug.write(Application.ownClasses(), folder);
    return bug.test() == null ? drill(bug, folder) : test(bug, folder);
  }

  private Summary.Control test(Planted bug, Path folder) throws IOException {
    long began = System.nanoTime();
    Optional<String> failure = bug.runTest(Application.ownClasses(), folder);
    progress.line(
        "planted %-30s %.1f s, %s",
        bug.name(),
        (System.nanoTime() - began) / 1e9,
        failure.map(how -> "caught by " + bug.test() + ": " + how).orElse("NOT CAUGHT"));
    return new Summary.Control(
        bug.name(), bug.description(), failure.stream().toList(), failure.isPresent());
  }

  private Summary.Control drill(Planted bug, Path folder) throws Exception {
    long began = System.nanoTime();
    Map<String, String> properties = new LinkedHashMap<>(bug.properties());
    properties.putAll(bug.routes(Application.ownClasses(), folder));
    if (!bug.before().isEmpty()) {
      lab.makeSchema();
    }
    List<Breach> breaches = List.of();
    boolean caught = false;
    // the fault hits the right moment only by chance
    for (int i = 0; i < TRIES && !caught; i++) {
      for (String statement : bug.before()) {
        lab.stores().execute(statement);
      }
      try (Nodes nodes = new Nodes(lab, List.of(folder))) {
        Result result =
            new Run(
                    lab,
                    nodes,
                    struck(bug, properties),
                    seed(bug, options.seed() + i),
                    products.getAsLong(),
                    BOUND_MILLIS)
                .go(verdict -> catches(bug, verdict.breaches()));
        result.history().write(options.out().resolve("planted-" + bug.name() + ".jsonl"));
        RunReport.ofBug(result, bug.name())
            .write(options.out().resolve("planted-" + bug.name() + ".html"));
        breaches = result.verdict().breaches();
      } finally {
        lab.heal();
        for (String statement : bug.after()) {
          lab.stores().execute(statement);
        }
      }
      caught = catches(bug, breaches);
    }
    progress.line(
        "planted %-30s %.1f s, %s",
        bug.name(),
        (System.nanoTime() - began) / 1e9,
        caught ? "caught: " + shown(bug, breaches) : "NOT CAUGHT " + breaches);
    String description = bug.description();
    if (caught && !bug.properties().isEmpty()) {
      List<Breach> withoutBug = withoutBug(bug);
      caught = withoutBug.isEmpty();
      description +=
          " (The same run without the bug " + (caught ? "holds" : "does not: " + withoutBug) + ".)";
    }
    return new Summary.Control(
        bug.name(), description, breaches.stream().map(Breach::toString).toList(), caught);
  }

  private static Breach shown(Planted bug, List<Breach> breaches) {
    return breaches.stream()
        .filter(breach -> bug.breaks().contains(breach.invariant()))
        .findFirst()
        .orElseThrow();
  }

  private static boolean catches(Planted bug, List<Breach> breaches) {
    return breaches.stream().anyMatch(breach -> bug.breaks().contains(breach.invariant()));
  }

  /** Runs the fault once more. The nodes no longer watch the sale that the bug has damaged. */
  private List<Breach> withoutBug(Planted bug) throws Exception {
    lab.stores().execute("DELETE FROM products");
    try (Nodes nodes = new Nodes(lab, List.of())) {
      Result result =
          new Run(
                  lab,
                  nodes,
                  struck(bug, bug.properties()),
                  seed(bug, options.seed()),
                  products.getAsLong(),
                  Run.BOUND_MILLIS)
              .go();
      result.history().write(options.out().resolve("without-" + bug.name() + ".jsonl"));
      List<Breach> breaches = result.verdict().breaches();
      progress.line(
          "the same without %-21s %.1f s, %s",
          bug.name(), result.millis() / 1000.0, breaches.isEmpty() ? "holds" : breaches);
      return breaches;
    } finally {
      lab.heal();
    }
  }

  private static Fault struck(Planted bug, Map<String, String> properties) {
    Fault fault = Faults.all().get(bug.fault());
    Map<String, String> all = new LinkedHashMap<>(fault.setup().properties());
    all.putAll(properties);
    return new Fault(
        fault.name(),
        fault.description(),
        fault.ownServers(),
        new Setup(all, fault.setup().nodes(), fault.setup().sentinel()),
        fault.strike());
  }

  /** A seed of the bug's strategy with which the sale goes on to the end of the run. */
  private static long seed(Planted bug, long from) {
    return from * 4 + (bug.strategy().equals("A") ? 0 : 1);
  }
}
