package io.seckill.drill.run;

import io.seckill.drill.check.Breach;
import io.seckill.drill.fault.Fault;
import io.seckill.drill.fault.Faults;
import io.seckill.drill.fault.Setup;
import io.seckill.drill.lab.Application;
import io.seckill.drill.lab.Lab;
import io.seckill.drill.plant.Planted;
import io.seckill.drill.plant.PlantedBugs;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Plants bugs and sees whether the checker catches them. Where the application would heal a bug by
 * another way and that way is shut for the control, the same run without the bug must hold.
 */
final class Controls {
  private static final int TRIES = 3;

  /** A planted bug must not cost the full bound to be seen. */
  private static final long BOUND_MILLIS = 12_000;

  private final Lab lab;
  private final LongSupplier products;
  private final PrintStream out;

  private Controls(Lab lab, LongSupplier products, PrintStream out) {
    this.lab = lab;
    this.products = products;
    this.out = out;
  }

  static void run(Lab lab, LongSupplier products, Options options, PrintStream out, Summary summary)
      throws Exception {
    Controls controls = new Controls(lab, products, out);
    try (Nodes first = new Nodes(lab, List.of())) {
      // the application makes the schema that guards are taken out of
      first.provide(Setup.USUAL, "A");
    }
    for (Planted bug : PlantedBugs.all()) {
      if (options.control() == null || options.control().equals(bug.name())) {
        summary.add(controls.plant(bug, options));
      }
    }
  }

  private Summary.Control plant(Planted bug, Options options) throws Exception {
    out.printf("planted %-30s ", bug.name());
    out.flush();
    Path folder = lab.scratch().resolve("planted").resolve(bug.name()).toAbsolutePath();
    bug.write(Application.ownClasses(), folder);
    Map<String, String> properties = new LinkedHashMap<>(bug.properties());
    properties.putAll(bug.routes(folder));
    List<Breach> breaches = List.of();
    boolean caught = false;
    // whether the fault hits the moment is left to chance
    for (int i = 0; i < TRIES && !caught; i++) {
      for (String statement : bug.before()) {
        lab.stores().execute(statement);
      }
      try (Nodes nodes = new Nodes(lab, List.of(folder))) {
        Run.Result result =
            new Run(
                    lab,
                    nodes,
                    struck(bug, properties),
                    seed(bug, options.seed() + i),
                    products.getAsLong(),
                    BOUND_MILLIS)
                .go();
        result.history().write(options.out().resolve("planted-" + bug.name() + ".jsonl"));
        Report.write(options.out().resolve("planted-" + bug.name() + ".html"), result);
        breaches = result.verdict().breaches();
      } finally {
        lab.heal();
        for (String statement : bug.after()) {
          lab.stores().execute(statement);
        }
      }
      caught = breaches.stream().anyMatch(breach -> bug.breaks().contains(breach.invariant()));
    }
    out.println(caught ? "caught: " + breaches.get(0) : "NOT CAUGHT " + breaches);
    String withoutBug = caught && !bug.properties().isEmpty() ? withoutBug(bug, options) : null;
    return new Summary.Control(
        bug.name(),
        bug.description() + (withoutBug == null ? "" : " " + withoutBug),
        breaches.stream().map(Breach::toString).toList(),
        caught);
  }

  private String withoutBug(Planted bug, Options options) throws Exception {
    try (Nodes nodes = new Nodes(lab, List.of())) {
      Run.Result result =
          new Run(
                  lab,
                  nodes,
                  struck(bug, bug.properties()),
                  seed(bug, options.seed()),
                  products.getAsLong(),
                  Run.BOUND_MILLIS)
              .go();
      result.history().write(options.out().resolve("without-" + bug.name() + ".jsonl"));
      out.println("        the same without the bug: " + result.verdict().breaches());
      return result.verdict().holds()
          ? "(The same run without the bug holds.)"
          : "(The same run without the bug: " + result.verdict().breaches() + ")";
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
        new Setup(all, fault.setup().nodes()),
        fault.strike());
  }

  /** A seed of the bug's strategy. */
  private static long seed(Planted bug, long from) {
    long seed = from * 2;
    return Run.strategyOf(seed).equals(bug.strategy()) ? seed : seed + 1;
  }
}
