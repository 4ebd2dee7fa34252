package io.seckill.bench.run;

import io.seckill.bench.baseline.Baseline;
import io.seckill.bench.run.Measurement.Path;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs the whole comparison: starts servers and contenders, measures them in alternating rounds and
 * collects the measurements. A contender that fails drops out, and its reason is kept; the others
 * continue.
 */
public final class Campaign implements AutoCloseable {
  private static final Duration SERVERS_LIMIT = Duration.ofSeconds(180);
  private static final int CONNECTIONS = 64;
  private static final int WARM_UP_TURNS = 8;

  /** A contender that uses fewer cores than this without requests is warm. */
  private static final double AT_REST = 0.2;

  private static final int SCRIPT_ROUNDS = 3;

  private static final List<String> REQUEST_PATH =
      List.of(
          Product.REQUEST_PATH, Product.BEFORE_REQUEST_PATH, Baseline.HAND_WRITTEN, Baseline.TUNED);
  private static final List<String> END_TO_END =
      List.of(
          Product.FULL,
          Product.BEFORE,
          Product.STRATEGY_B,
          Baseline.PIPELINE,
          Baseline.CONDITIONAL);

  /** The names of all contenders. */
  public static final Set<String> CONTENDERS =
      Stream.of(REQUEST_PATH, END_TO_END, List.of(Baseline.NAIVE))
          .flatMap(List::stream)
          .collect(Collectors.toUnmodifiableSet());

  private static final Set<String> PERSISTING =
      Set.of(Product.FULL, Product.BEFORE, Baseline.PIPELINE);
  private static final long SCRIPT_CALLS = 300_000;

  private final Launch launch;
  private final Plan plan;
  private final Set<Path> paths;
  private final Set<String> only;
  private final ProgressLine progress;
  private final JavaProcess servers;
  private final java.nio.file.Path data;
  private final Properties addresses;
  private final Runs runs;
  private final List<Measurement> measurements = new ArrayList<>();
  private final Map<String, String> failures = new TreeMap<>();
  private final Map<String, Map<String, Double>> idle = new LinkedHashMap<>();
  private int namespaces;

  private Campaign(
      Launch launch,
      Plan plan,
      Set<Path> paths,
      Set<String> only,
      boolean useWrk,
      ProgressLine progress,
      JavaProcess servers,
      java.nio.file.Path data,
      Properties addresses) {
    this.launch = launch;
    this.plan = plan;
    this.paths = paths;
    this.only = only;
    this.progress = progress;
    this.servers = servers;
    this.data = data;
    this.addresses = addresses;
    this.runs = new Runs(servers, CONNECTIONS, useWrk, launch.directory());
  }

  /**
   * Starts Redis, Kafka and MariaDB with empty data.
   *
   * @param only the contenders to measure; empty for all
   */
  public static Campaign start(
      Launch launch,
      Plan plan,
      Set<Path> paths,
      Set<String> only,
      boolean useWrk,
      ProgressLine progress)
      throws IOException, InterruptedException {
    java.nio.file.Path directory = launch.directory();
    java.nio.file.Path data = Files.createTempDirectory(directory, "data-");
    java.nio.file.Path addressFile = data.resolve("embedded.properties");
    progress.say("starting Redis, Kafka and MariaDB");
    JavaProcess servers =
        JavaProcess.start(
            "servers",
            launch.toolsClasspath(),
            List.of("-Xmx1g"),
            Map.of(),
            directory,
            Servers.class.getName(),
            data.toString());
    try {
      servers.awaitReady(() -> Files.exists(addressFile), SERVERS_LIMIT);
      Properties addresses = new Properties();
      try (InputStream in = Files.newInputStream(addressFile)) {
        addresses.load(in);
      }
      return new Campaign(launch, plan, paths, only, useWrk, progress, servers, data, addresses);
    } catch (IOException | InterruptedException e) {
      servers.close();
      throw e;
    }
  }

  /** Measures the chosen paths. */
  public void run() throws InterruptedException, SQLException {
    progress.expect(expectedSteps());
    requestPath();
    endToEnd();
  }

  /** How cost grows with products, with buyers of one product and with instances. */
  public List<Growth.Step> growth() throws InterruptedException, SQLException {
    Growth growth = new Growth(runs, plan, progress);
    for (int instances = 1; instances <= Growth.MOST_INSTANCES; instances++) {
      progress.say(
          String.format(
              Locale.ROOT, "starting %d instance%s", instances, instances == 1 ? "" : "s"));
      Namespace namespace = Namespace.of(addresses, "growth_" + instances, ++namespaces);
      try (Contender product = Product.start(Product.FULL, instances, launch, namespace)) {
        progress.say("warming up");
        warmUp(product);
        growth.measure(product, instances);
      } catch (IOException e) {
        fail(Product.FULL + " (" + instances + ")", e);
      }
    }
    return growth.steps();
  }

  public List<Measurement> measurements() {
    return List.copyOf(measurements);
  }

  /** Why contenders did not run to the end. */
  public Map<String, String> failures() {
    return Collections.unmodifiableMap(failures);
  }

  /** Heap, memory and idle CPU of each contender once it was warm. */
  public Map<String, Map<String, Double>> footprints() {
    return Collections.unmodifiableMap(idle);
  }

  public String closedGenerator() {
    return runs.closedGenerator();
  }

  private int expectedSteps() {
    int perCount = moreProducts().size() * plan.sideRounds();
    int persisting = participants(END_TO_END).stream().filter(PERSISTING::contains).toList().size();
    int hosts = takesPart(Baseline.HAND_WRITTEN) ? 1 : 0;
    int naive = takesPart(Baseline.NAIVE) ? 1 : 0;
    int fronts = participants(REQUEST_PATH).size();
    return fronts * asked(Path.ACCEPTED, plan.rounds() + perCount)
        + fronts * asked(Path.SOLD_OUT, plan.rounds())
        + fronts * asked(Path.DUPLICATE, plan.sideRounds())
        + fronts * asked(Path.RESULT, plan.sideRounds())
        + fronts * asked(Path.OPEN, 1)
        + hosts * asked(Path.SCRIPT, SCRIPT_ROUNDS)
        + participants(END_TO_END).size() * asked(Path.END_TO_END, plan.orderRounds())
        + persisting * asked(Path.END_TO_END, perCount)
        + persisting * asked(Path.OPEN_END_TO_END, plan.sideRounds())
        + waiters() * asked(Path.WAITING, plan.sideRounds())
        + waiters() * asked(Path.UNASKED, plan.sideRounds())
        + persisting * asked(Path.AT_RATE, plan.rate() > 0 ? plan.orderRounds() : 0)
        + naive * asked(Path.END_TO_END, 1);
  }

  private int asked(Path path, int rounds) {
    return paths.contains(path) ? rounds : 0;
  }

  private List<String> participants(List<String> names) {
    return names.stream().filter(this::takesPart).toList();
  }

  private void requestPath() throws InterruptedException, SQLException {
    if (!wants(Path.ACCEPTED, Path.SOLD_OUT, Path.DUPLICATE, Path.RESULT, Path.OPEN, Path.SCRIPT)) {
      return;
    }
    List<Contender> contenders = new ArrayList<>();
    try {
      for (String name : participants(REQUEST_PATH)) {
        start(contenders, name);
      }
      warmUp(contenders);
      rounds(
          Path.ACCEPTED,
          plan.rounds(),
          contenders,
          (contender, round) -> runs.accepted(contender, 1, round, plan.run()));
      rounds(
          Path.SOLD_OUT,
          plan.rounds(),
          contenders,
          (contender, round) -> runs.soldOut(contender, 1, round, plan.run()));
      rounds(
          Path.DUPLICATE,
          plan.sideRounds(),
          contenders,
          (contender, round) -> runs.duplicate(contender, 1, round, plan.run()));
      rounds(
          Path.RESULT,
          plan.sideRounds(),
          contenders,
          (contender, round) -> runs.result(contender, 1, round, plan.run()));
      for (int products : moreProducts()) {
        rounds(
            Path.ACCEPTED,
            plan.sideRounds(),
            contenders,
            (contender, round) -> runs.accepted(contender, products, round, plan.run()));
      }
      rounds(
          Path.OPEN,
          1,
          contenders,
          (contender, round) ->
              runs.open(contender, 1, round, plan.open(), ceiling(Path.ACCEPTED, contender) / 2));
      List<Contender> host =
          contenders.stream().filter(c -> c.name().equals(Baseline.HAND_WRITTEN)).toList();
      rounds(
          Path.SCRIPT,
          SCRIPT_ROUNDS,
          host,
          (contender, round) -> runs.script(contender, round, SCRIPT_CALLS));
    } finally {
      close(contenders);
    }
  }

  private void endToEnd() throws InterruptedException, SQLException {
    if (!wants(Path.END_TO_END, Path.OPEN_END_TO_END, Path.WAITING, Path.UNASKED)
        && !(wants(Path.AT_RATE) && plan.rate() > 0)) {
      return;
    }
    List<Contender> contenders = new ArrayList<>();
    List<Contender> naive = new ArrayList<>();
    try {
      for (String name : participants(END_TO_END)) {
        start(contenders, name);
      }
      warmUp(contenders);
      rounds(
          Path.END_TO_END,
          plan.orderRounds(),
          contenders,
          (contender, round) -> runs.endToEnd(contender, 1, round, plan.orders()));
      List<Contender> pipelines =
          contenders.stream().filter(c -> PERSISTING.contains(c.name())).toList();
      for (int products : moreProducts()) {
        rounds(
            Path.END_TO_END,
            plan.sideRounds(),
            pipelines,
            (contender, round) -> runs.endToEnd(contender, products, round, plan.orders()));
      }
      halfLoad(pipelines);
      rounds(
          Path.AT_RATE,
          plan.rate() > 0 ? plan.orderRounds() : 0,
          pipelines,
          (contender, round) ->
              runs.unasked(Path.AT_RATE, contender, round, plan.open(), plan.rate()));
      if (takesPart(Baseline.NAIVE)) {
        start(naive, Baseline.NAIVE);
      }
      rounds(
          Path.END_TO_END, 1, naive, (contender, round) -> runs.sellOut(contender, round, 2_000));
    } finally {
      close(contenders);
      close(naive);
    }
  }

  /**
   * In each round, buyers who poll, buyers who wait and buyers who do not ask, one after another.
   */
  private void halfLoad(List<Contender> pipelines) throws InterruptedException, SQLException {
    List<Contender> product =
        pipelines.stream().filter(c -> c.name().equals(Product.FULL)).toList();
    for (int round = 1; round <= plan.sideRounds(); round++) {
      round(
          Path.OPEN_END_TO_END,
          round,
          pipelines,
          (contender, n) -> runs.open(contender, 1, n, plan.open(), halfCeiling(contender)));
      round(
          Path.WAITING,
          round,
          product,
          (contender, n) -> runs.waiting(contender, n, plan.open(), halfCeiling(contender)));
      round(
          Path.UNASKED,
          round,
          product,
          (contender, n) ->
              runs.unasked(Path.UNASKED, contender, n, plan.open(), halfCeiling(contender)));
    }
  }

  private double halfCeiling(Contender contender) throws IOException {
    return ceiling(Path.END_TO_END, contender) / 2;
  }

  /** Whether buyers can wait: 1 when the application takes part, else 0. */
  private int waiters() {
    return takesPart(Product.FULL) ? 1 : 0;
  }

  private boolean wants(Path... any) {
    return List.of(any).stream().anyMatch(paths::contains);
  }

  private List<Integer> moreProducts() {
    return plan.productCounts().stream().filter(products -> products > 1).toList();
  }

  private void start(List<Contender> into, String name) throws InterruptedException, SQLException {
    progress.say("starting " + name);
    String schema = name.replace('-', '_');
    try {
      Namespace namespace = Namespace.of(addresses, schema, ++namespaces);
      into.add(
          HandWritten.NAMES.contains(name)
              ? HandWritten.start(name, launch, namespace)
              : Product.start(name, 1, launch, namespace));
    } catch (IOException e) {
      fail(name, e);
    }
  }

  private boolean takesPart(String name) {
    boolean ofBefore = Set.of(Product.BEFORE, Product.BEFORE_REQUEST_PATH).contains(name);
    return (only.isEmpty() || only.contains(name)) && (!ofBefore || launch.before().isPresent());
  }

  private void fail(String name, Exception failure) {
    String message = String.valueOf(failure.getMessage());
    // the failure, and the last line of the contender's log, which says why
    List<String> lines = message.lines().toList();
    failures.put(
        name, lines.size() < 2 ? message : lines.get(0) + " " + lines.get(lines.size() - 1));
    progress.say(name + " drops out: " + message);
  }

  private void warmUp(List<Contender> contenders) throws InterruptedException, SQLException {
    for (Contender contender : List.copyOf(contenders)) {
      progress.say("warming up " + contender.name());
      try {
        warmUp(contender);
        idle.put(contender.name(), footprint(contender));
      } catch (IOException e) {
        fail(contender.name(), e);
        contenders.remove(contender);
        contender.close();
      }
    }
  }

  /**
   * Drives a contender until it has used the plan's CPU time and its JVM is idle without requests.
   * A JVM that is not idle still compiles, and would take cores from the measured work.
   */
  private void warmUp(Contender contender) throws IOException, InterruptedException, SQLException {
    Duration turn = plan.warmUp().dividedBy(2);
    boolean front = contender.traits().books() && !contender.traits().persists();
    CpuMeter meter = new CpuMeter(contender, servers);
    double enough = meter.read().get("contender") + plan.warmUp().toMillis() / 1e3;
    int turns = 0;
    do {
      runs.accepted(contender, 1, 0, turn);
      if (front) {
        runs.soldOut(contender, 1, 0, turn.dividedBy(4));
        runs.result(contender, 1, 0, turn.dividedBy(4));
      }
      turns++;
    } while (turns < WARM_UP_TURNS
        && (meter.read().get("contender") < enough || idleCores(meter) > AT_REST));
  }

  private static double idleCores(CpuMeter meter) throws IOException, InterruptedException {
    Map<String, Double> before = meter.read();
    Thread.sleep(1_000);
    return CpuMeter.difference(before, meter.read()).get("contender");
  }

  private Map<String, Double> footprint(Contender contender)
      throws IOException, InterruptedException {
    CpuMeter meter = new CpuMeter(contender, servers);
    JavaProcess process = contender.processes().get(0);
    Map<String, Double> footprint = new LinkedHashMap<>();
    footprint.put("heap MiB, live", process.liveHeapBytes() / 1048576.0);
    footprint.put("rss MiB", process.residentBytes() / 1048576.0);
    footprint.put("cores, idle", idleCores(meter));
    return footprint;
  }

  private interface Run {
    Measurement of(Contender contender, int round)
        throws IOException, InterruptedException, SQLException;
  }

  /** Starts each round with another contender. */
  private void rounds(Path path, int rounds, List<Contender> contenders, Run run)
      throws InterruptedException, SQLException {
    for (int round = 1; round <= rounds; round++) {
      round(path, round, contenders, run);
    }
  }

  private void round(Path path, int round, List<Contender> contenders, Run run)
      throws InterruptedException, SQLException {
    if (!paths.contains(path)) {
      return;
    }
    List<Contender> order = new ArrayList<>(contenders);
    Collections.rotate(order, -(round - 1));
    for (Contender contender : order) {
      if (failures.containsKey(contender.name())) {
        progress.skip();
        continue;
      }
      try {
        Measurement measured = run.of(contender, round);
        measurements.add(measured);
        progress.step(measured);
      } catch (IOException e) {
        fail(contender.name(), e);
      }
    }
  }

  private double ceiling(Path path, Contender contender) throws IOException {
    double[] rates =
        measurements.stream()
            .filter(m -> m.path() == path && m.contender().equals(contender.name()))
            .filter(m -> m.products() == 1)
            .mapToDouble(Measurement::perSecond)
            .sorted()
            .toArray();
    if (rates.length == 0) {
      throw new IOException("its ceiling was not measured");
    }
    return rates[rates.length / 2];
  }

  private static void close(List<Contender> contenders) throws SQLException {
    for (Contender contender : contenders) {
      contender.close();
    }
  }

  /** Stops the servers and deletes their data. */
  @Override
  public void close() throws IOException {
    servers.close();
    try (Stream<java.nio.file.Path> tree = Files.walk(data)) {
      for (java.nio.file.Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
