package io.seckill.drill.run;

import io.seckill.drill.check.Breach;
import io.seckill.drill.fault.Fault;
import io.seckill.drill.fault.Faults;
import io.seckill.drill.history.Event;
import io.seckill.drill.history.History;
import io.seckill.drill.lab.Addresses;
import io.seckill.drill.lab.Lab;
import io.seckill.drill.lab.LabException;
import io.seckill.drill.plant.Planted;
import io.seckill.drill.plant.PlantedBugs;
import io.seckill.drill.report.Result;
import io.seckill.drill.report.RunReport;
import io.seckill.drill.report.Summary;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Many runs, one report. */
public final class Campaign {
  private static final int ENDLESS = 100_000;

  /** How many lines of a breach's history are printed; the page shows all. */
  private static final int SHOWN = 30;

  /** The first product id of drills, far from those of real sales. */
  private static final long FIRST_PRODUCT = 7_000_000_000_000L;

  private final Options options;
  private final Progress progress;
  private final Summary summary = new Summary();
  private final AtomicLong nextProduct =
      new AtomicLong(FIRST_PRODUCT + System.currentTimeMillis() % 1_000_000_000_000L);
  private final AtomicInteger ended = new AtomicInteger();

  private Campaign(Options options, PrintStream out) {
    this.options = options;
    progress = new Progress(out);
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
                  progress.line(
                      "%-38s %s%s",
                      fault.name(),
                      fault.description(),
                      fault.ownServers() ? " [own servers only]" : ""));
      progress.line("%nPlanted bugs");
      PlantedBugs.all()
          .forEach(
              bug ->
                  progress.line(
                      "%-38s %s [%s]",
                      bug.name(),
                      bug.description(),
                      bug.test() == null ? bug.fault() : bug.test()));
      return true;
    }
    Deque<Schedule.Entry> runs = schedule(Schedule.named(all, options.fault(), ownServers));
    Deque<Planted> bugs =
        new ConcurrentLinkedDeque<>(
            options.controls() ? Controls.named(options.control()) : List.of());
    Files.createDirectories(options.out());
    if (ownServers) {
      progress.line("Starting Redis, Kafka and MariaDB");
    }
    inLanes(lane -> drill(lane, runs, bugs));
    Path page = options.out().resolve("index.html");
    summary.write(page);
    if (options.json() != null) {
      Files.writeString(options.json(), summary.json());
    }
    progress.line("%s", summary.text());
    progress.line("Verdict: %s", page.toAbsolutePath().normalize().toUri());
    return summary.isGood();
  }

  private Deque<Schedule.Entry> schedule(List<Fault> faults) {
    boolean soak = options.minutes() > 0;
    int runs = options.runs() == null ? (soak ? ENDLESS : faults.size()) : options.runs();
    return new ConcurrentLinkedDeque<>(
        soak
            ? Schedule.shuffled(faults, runs, options.seed())
            : Schedule.inTurn(faults, runs, options.seed()));
  }

  private interface Lane {
    void go(int number) throws Exception;
  }

  /** Runs all lanes and waits for their end. */
  private void inLanes(Lane lane) throws Exception {
    ExecutorService lanes = Executors.newFixedThreadPool(options.lanes());
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < options.lanes(); i++) {
      int number = i;
      all.add(
          lanes.submit(
              () -> {
                lane.go(number);
                return null;
              }));
    }
    lanes.shutdown();
    Exception failure = null;
    for (Future<?> one : all) {
      try {
        one.get();
      } catch (ExecutionException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private Lab openLab(int lane) throws IOException {
    Path folder = options.out().resolve(lane == 0 ? "lab" : "lab-" + (lane + 1));
    return options.servers() == null
        ? Lab.embedded(folder)
        : Lab.given(folder, Addresses.of(options.servers()));
  }

  /**
   * Runs with the same settings of the application are next to each other, so every other lane
   * takes runs from the end.
   */
  private void drill(int lane, Deque<Schedule.Entry> runs, Deque<Planted> bugs) throws Exception {
    boolean forward = lane % 2 == 0;
    long deadline =
        options.minutes() == 0
            ? Long.MAX_VALUE
            : System.nanoTime() + TimeUnit.MINUTES.toNanos(options.minutes());
    boolean done = false;
    try (Lab lab = openLab(lane)) {
      try (Nodes nodes = new Nodes(lab, List.of())) {
        for (Schedule.Entry entry = next(runs, forward);
            entry != null && System.nanoTime() < deadline;
            entry = next(runs, forward)) {
          one(lab, nodes, entry);
        }
      }
      Controls controls = new Controls(lab, nextProduct::getAndIncrement, options, progress);
      for (Planted bug = next(bugs, forward); bug != null; bug = next(bugs, forward)) {
        summary.add(controls.plant(bug));
      }
      done = true;
    } finally {
      if (!done) {
        // the other lanes finish their runs and begin no new ones
        runs.clear();
        bugs.clear();
      }
    }
  }

  private static <T> T next(Deque<T> all, boolean forward) {
    return forward ? all.pollFirst() : all.pollLast();
  }

  private void one(Lab lab, Nodes nodes, Schedule.Entry entry) throws Exception {
    String what = String.format(Locale.ROOT, "%-38s seed %-6d", entry.fault().name(), entry.seed());
    Result result;
    try {
      result =
          new Run(
                  lab,
                  nodes,
                  entry.fault(),
                  entry.seed(),
                  nextProduct.getAndIncrement(),
                  Run.BOUND_MILLIS)
              .go();
    } catch (LabException e) {
      progress.line("run %-4d %s could not be run: %s", ended.incrementAndGet(), what, e);
      summary.notRun(entry.fault().name(), entry.seed(), e.getMessage());
      nodes.close();
      lab.heal();
      return;
    }
    String stem = entry.fault().name() + "-" + entry.seed();
    result.history().write(options.out().resolve(stem + ".jsonl"));
    RunReport.of(result).write(options.out().resolve(stem + ".html"));
    summary.add(result, stem);
    StringBuilder lines = new StringBuilder();
    lines.append(
        String.format(
            Locale.ROOT,
            "run %-4d %s %s %5d operations, %3d orders, %.1f s",
            ended.incrementAndGet(),
            what,
            result.strategy(),
            result.operations(),
            orders(result.history()),
            result.millis() / 1000.0));
    result.missed().forEach(missed -> lines.append("\n  missed: ").append(missed));
    for (Breach breach : result.verdict().breaches()) {
      lines.append("\n  BREACH ").append(breach);
      breach.evidence().stream()
          .limit(SHOWN)
          .forEach(event -> lines.append("\n    ").append(History.line(event)));
    }
    if (!result.verdict().holds()) {
      lines.append(
          String.format(
              Locale.ROOT,
              "%n  again with: bin/drill --fault %s --seed %d --runs 1",
              result.fault(),
              result.seed()));
    }
    progress.lines(lines.toString());
  }

  private static long orders(History history) {
    return history
        .all(Event.RowFound.class)
        .filter(row -> row.stage().equals("rest") && row.isSuccess())
        .count();
  }
}
