package io.seckill.drill.run;

import io.seckill.drill.check.Breach;
import io.seckill.drill.fault.Fault;
import io.seckill.drill.fault.Faults;
import io.seckill.drill.history.Event;
import io.seckill.drill.history.History;
import io.seckill.drill.lab.Addresses;
import io.seckill.drill.lab.Lab;
import io.seckill.drill.lab.LabException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Many runs, one report. */
public final class Campaign {
  private static final int ENDLESS = 100_000;

  /** Product ids of drills lie far from those of real sales. */
  private static final long FIRST_PRODUCT = 7_000_000_000_000L;

  private final Options options;
  private final PrintStream out;
  private final Summary summary = new Summary();
  private long nextProduct = FIRST_PRODUCT + System.currentTimeMillis() % 1_000_000_000_000L;

  private Campaign(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /**
   * Runs what the options say.
   *
   * @return whether every invariant held and every planted bug was caught
   */
  public static boolean run(Options options, PrintStream out) throws Exception {
    return new Campaign(options, out).run();
  }

  private boolean run() throws Exception {
    Map<String, Fault> all = Faults.all();
    boolean ownServers = options.servers() == null;
    if (options.list()) {
      all.values()
          .forEach(
              fault ->
                  out.printf(
                      "%-38s %s%s%n",
                      fault.name(),
                      fault.description(),
                      fault.ownServers() ? " [own servers only]" : ""));
      return true;
    }
    List<Fault> faults = Schedule.named(all, options.fault(), ownServers);
    Files.createDirectories(options.out());
    try (Lab lab = openLab()) {
      drill(lab, faults);
      if (options.controls()) {
        Controls.run(lab, this::product, options, out, summary);
      }
    }
    Path page = options.out().resolve("index.html");
    Report.write(page, summary);
    if (options.json() != null) {
      Files.writeString(options.json(), summary.json());
    }
    out.println(summary.text());
    out.println("Verdict: " + page.toAbsolutePath().normalize().toUri());
    return summary.isGood();
  }

  private Lab openLab() throws IOException {
    if (options.servers() != null) {
      return Lab.given(options.out().resolve("lab"), Addresses.of(options.servers()));
    }
    out.println("Starting Redis, Kafka and MariaDB");
    return Lab.embedded(options.out().resolve("lab"));
  }

  private long product() {
    return nextProduct++;
  }

  private void drill(Lab lab, List<Fault> faults) throws Exception {
    boolean soak = options.minutes() > 0;
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(options.minutes());
    int runs = options.runs() == null ? (soak ? ENDLESS : faults.size()) : options.runs();
    List<Schedule.Entry> entries =
        soak
            ? Schedule.shuffled(faults, runs, options.seed())
            : Schedule.inTurn(faults, runs, options.seed());
    try (Nodes nodes = new Nodes(lab, List.of())) {
      int number = 0;
      for (Schedule.Entry entry : entries) {
        if (soak && System.nanoTime() > deadline) {
          break;
        }
        number++;
        out.printf(
            "%s %-38s seed %-6d ",
            soak ? "run " + number : "run " + number + " of " + runs,
            entry.fault().name(),
            entry.seed());
        out.flush();
        one(lab, nodes, entry);
      }
    }
  }

  private void one(Lab lab, Nodes nodes, Schedule.Entry entry) throws Exception {
    Run.Result result;
    try {
      result = new Run(lab, nodes, entry.fault(), entry.seed(), product(), Run.BOUND_MILLIS).go();
    } catch (LabException e) {
      out.println("could not be run: " + e.getMessage());
      summary.notRun(entry.fault().name(), entry.seed(), e.getMessage());
      nodes.close();
      lab.heal();
      return;
    }
    String stem = entry.fault().name() + "-" + entry.seed();
    result.history().write(options.out().resolve(stem + ".jsonl"));
    Report.write(options.out().resolve(stem + ".html"), result);
    summary.add(result, stem);
    List<Breach> breaches = result.verdict().breaches();
    out.printf(
        "%s %5d operations, %3d orders, %.1f s%n",
        result.strategy(), result.operations(), orders(result.history()), result.millis() / 1000.0);
    for (Breach breach : breaches) {
      out.println("  BREACH " + breach);
      new ArrayList<>(breach.evidence())
          .stream().limit(30).forEach(event -> out.println("    " + History.line(event)));
    }
    if (!breaches.isEmpty()) {
      out.printf(
          "  again with: bin/drill --fault %s --seed %d --runs 1%n", result.fault(), result.seed());
    }
  }

  private static long orders(History history) {
    return history
        .all(Event.RowFound.class)
        .filter(row -> row.stage().equals("rest") && row.isSuccess())
        .count();
  }
}
