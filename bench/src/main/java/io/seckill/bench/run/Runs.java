package io.seckill.bench.run;

import io.seckill.bench.load.HttpLoad;
import io.seckill.bench.load.LoadResult;
import io.seckill.bench.load.RedisCeiling;
import io.seckill.bench.load.RequestTemplate;
import io.seckill.bench.load.Wrk;
import io.seckill.bench.run.Measurement.Path;
import io.seckill.bench.run.Measurement.Sample;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The kinds of run. Each opens its own sales, drives one contender, judges the books and deletes
 * the sales.
 */
final class Runs {
  private static final long PLENTY = 100_000_000;
  private static final int UNITS_UNTIL_SOLD_OUT = 100;
  private static final int HOLDERS = 10_000;
  private static final int WAIT_SECONDS = 20;

  /** Each buyer who waits has a connection. */
  private static final int WAITING_CONNECTIONS = 2_000;

  private static final long GATE_SETTLES_MILLIS = 1_500;
  private static final Duration BUY_ONCE_LIMIT = Duration.ofMinutes(5);
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(120);
  private static final long SAMPLE_MILLIS = 200;
  private static final List<String> PARTS = List.of("contender", "redis", "kafka", "mariadb");
  private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.5, 99.9, 99.99, 100};

  private final JavaProcess servers;
  private final int connections;
  private final boolean useWrk;
  private final java.nio.file.Path scratch;
  private long nextProduct = 1_000;
  private long nextUser = 1_000_000;

  /**
   * @param connections of the generator, one request in flight on each
   * @param useWrk for the closed loop, if it is installed
   */
  Runs(JavaProcess servers, int connections, boolean useWrk, java.nio.file.Path scratch) {
    this.servers = servers;
    this.connections = connections;
    this.useWrk = useWrk && Wrk.isInstalled();
    this.scratch = scratch;
  }

  String closedGenerator() {
    return useWrk ? "wrk" : "the benchmark's own closed loop";
  }

  /** Purchases as fast as they are answered. */
  Measurement accepted(Contender contender, int products, int round, Duration duration)
      throws IOException, InterruptedException, SQLException {
    return buying(Path.ACCEPTED, contender, products, round, duration);
  }

  /** Purchases as fast as they are answered, until the last one is an order and confirmed. */
  Measurement endToEnd(Contender contender, int products, int round, Duration duration)
      throws IOException, InterruptedException, SQLException {
    return buying(Path.END_TO_END, contender, products, round, duration);
  }

  private Measurement buying(
      Path path, Contender contender, int products, int round, Duration duration)
      throws IOException, InterruptedException, SQLException {
    Sales sales = open(contender, products, PLENTY);
    RequestTemplate template = sales.buyers(PLENTY);
    return drive(path, contender, sales, round, () -> closed(contender, template, duration));
  }

  /** Purchases at a given rate, however fast the answers come. */
  Measurement open(Contender contender, int products, int round, Duration duration, double rate)
      throws IOException, InterruptedException, SQLException {
    Sales sales = open(contender, products, PLENTY);
    boolean endToEnd = contender.traits().books() && contender.traits().persists();
    int trackEvery = endToEnd ? (int) Math.max(1, rate / 200) : 0;
    HttpLoad.Settings settings = openLoop(contender, sales, duration, rate).tracking(trackEvery);
    return drive(
        endToEnd ? Path.OPEN_END_TO_END : Path.OPEN,
        contender,
        sales,
        round,
        () -> HttpLoad.run(settings));
  }

  /** Purchases at a given rate by buyers who do not ask for results. */
  Measurement unasked(Path path, Contender contender, int round, Duration duration, double rate)
      throws IOException, InterruptedException, SQLException {
    Sales sales = open(contender, 1, PLENTY);
    HttpLoad.Settings settings = openLoop(contender, sales, duration, rate);
    return drive(path, contender, sales, round, () -> HttpLoad.run(settings));
  }

  /** The same by buyers who all wait in the request for the end of their purchase. */
  Measurement waiting(Contender contender, int round, Duration duration, double rate)
      throws IOException, InterruptedException, SQLException {
    Sales sales = open(contender, 1, PLENTY);
    HttpLoad.Settings settings =
        HttpLoad.Settings.open(
            contender.ports().get(0),
            sales.buyers(PLENTY).awaiting(WAIT_SECONDS),
            WAITING_CONNECTIONS,
            duration,
            rate);
    return drive(
        Path.WAITING, contender, sales, round, () -> HttpLoad.run(settings).answeredWithTheEnd());
  }

  private HttpLoad.Settings openLoop(
      Contender contender, Sales sales, Duration duration, double rate) {
    return HttpLoad.Settings.open(
        contender.ports().get(0), sales.buyers(PLENTY), connections, duration, rate);
  }

  /** Purchases of sold-out products by users who hold nothing. */
  Measurement soldOut(Contender contender, int products, int round, Duration duration)
      throws IOException, InterruptedException, SQLException {
    Sales sales = open(contender, products, UNITS_UNTIL_SOLD_OUT);
    long winners = (long) UNITS_UNTIL_SOLD_OUT * products;
    LoadResult sellOut = buyOnce(contender, sales.buyers(2 * winners), 2 * winners);
    TimeUnit.MILLISECONDS.sleep(GATE_SETTLES_MILLIS);
    RequestTemplate late = sales.buyers(PLENTY);
    return drive(
        Path.SOLD_OUT,
        contender,
        sales.after(sellOut),
        round,
        () -> closed(contender, late, duration));
  }

  /** Purchases by users who already hold one, with other keys. */
  Measurement duplicate(Contender contender, int products, int round, Duration duration)
      throws IOException, InterruptedException, SQLException {
    return byHolders(
        Path.DUPLICATE, RequestTemplate::buyAgain, contender, products, round, duration);
  }

  /** Questions of buyers for their results. */
  Measurement result(Contender contender, int products, int round, Duration duration)
      throws IOException, InterruptedException, SQLException {
    return byHolders(Path.RESULT, RequestTemplate::result, contender, products, round, duration);
  }

  private interface Requests {
    RequestTemplate of(long firstUser, long users, long firstProduct, int products);
  }

  private Measurement byHolders(
      Path path, Requests requests, Contender contender, int products, int round, Duration duration)
      throws IOException, InterruptedException, SQLException {
    Sales sales = open(contender, products, PLENTY);
    RequestTemplate buy = sales.buyers(HOLDERS);
    LoadResult bought = buyOnce(contender, buy, HOLDERS);
    RequestTemplate template =
        requests.of(buy.firstUser(), HOLDERS, sales.firstProduct(), products);
    return drive(
        path, contender, sales.after(bought), round, () -> closed(contender, template, duration));
  }

  /** A given number of buyers of one product, until the last one's order is confirmed. */
  Measurement buyers(Contender contender, int round, long buyers)
      throws IOException, InterruptedException, SQLException {
    Sales sales = open(contender, 1, PLENTY);
    RequestTemplate template = sales.buyers(buyers);
    return drive(
        Path.END_TO_END, contender, sales, round, () -> buyOnce(contender, template, buyers));
  }

  /** A sale of few units with many buyers at once, for a contender that may oversell. */
  Measurement sellOut(Contender contender, int round, long stock)
      throws IOException, InterruptedException, SQLException {
    Sales sales = open(contender, 1, stock);
    RequestTemplate buyers = sales.buyers(4 * stock);
    return drive(
        Path.END_TO_END, contender, sales, round, () -> buyOnce(contender, buyers, 4 * stock));
  }

  /** Calls of the script alone: the limit of the request path. */
  Measurement script(Contender host, int round, long calls)
      throws IOException, InterruptedException, SQLException {
    Sales sales = open(host, 1, PLENTY);
    Backends backends = host.backends();
    String sha = backends.loadScript("reserve");
    String uri = backends.namespace().redisUri();
    LoadResult load = RedisCeiling.run(uri, sha, sales.firstProduct(), calls);
    List<Book> books = backends.books(sales.firstProduct(), 1);
    backends.clear(sales.firstProduct(), 1);
    return measurement(
        Path.SCRIPT,
        load.generator(),
        sales,
        round,
        load,
        load.perSecond(),
        Map.of(),
        List.of(),
        Invariants.breaches(books, 0, calls, false));
  }

  private record Sales(
      Runs runs, long firstProduct, int products, long acceptedBefore, long uncertainBefore) {
    /** Purchases of new users. */
    RequestTemplate buyers(long users) {
      long firstUser = runs.nextUser;
      runs.nextUser += users;
      return RequestTemplate.buy(firstUser, users, firstProduct, products);
    }

    Sales after(LoadResult load) {
      return new Sales(runs, firstProduct, products, load.count(202), load.unanswered());
    }
  }

  private Sales open(Contender contender, int products, long stock)
      throws IOException, InterruptedException, SQLException {
    long firstProduct = nextProduct;
    nextProduct += products;
    contender.openSales(firstProduct, products, stock);
    return new Sales(this, firstProduct, products, 0, 0);
  }

  private LoadResult closed(Contender contender, RequestTemplate template, Duration duration)
      throws IOException, InterruptedException {
    if (useWrk && contender.ports().size() == 1) {
      return Wrk.run(contender.ports().get(0), template, connections, duration, scratch);
    }
    return HttpLoad.run(
        HttpLoad.Settings.closed(contender.ports().get(0), template, connections, duration)
            .over(contender.ports()));
  }

  private LoadResult buyOnce(Contender contender, RequestTemplate template, long requests)
      throws IOException {
    return HttpLoad.run(
        HttpLoad.Settings.closed(contender.ports().get(0), template, connections, BUY_ONCE_LIMIT)
            .limitedTo(requests));
  }

  private interface Load {
    LoadResult run() throws IOException, InterruptedException;
  }

  private Measurement drive(Path path, Contender contender, Sales sales, int round, Load load)
      throws IOException, InterruptedException, SQLException {
    Backends backends = contender.backends();
    boolean drains = contender.traits().books() && contender.traits().persists();
    long redisBefore = backends.redisBytes();
    CpuMeter meter = new CpuMeter(contender, servers);
    BacklogRecorder recorder =
        new BacklogRecorder(backends, sales.firstProduct(), sales.products(), SAMPLE_MILLIS);
    long start = System.nanoTime();
    Map<String, Double> cpuBefore = meter.read();
    LoadResult result;
    try (BacklogRecorder recording =
        drains && path == Path.END_TO_END ? recorder.start() : recorder) {
      result = load.run();
      if (drains) {
        recording.awaitDrained(DRAIN_LIMIT);
      }
    }
    double elapsed = (System.nanoTime() - start) / 1e9;
    Map<String, Double> cpu = CpuMeter.difference(cpuBefore, meter.read());
    for (JavaProcess process : contender.processes()) {
      process.requireAlive();
    }
    List<Book> books = backends.books(sales.firstProduct(), sales.products());
    long taken = books.stream().mapToLong(Book::taken).sum();
    Map<String, Double> figures = new LinkedHashMap<>();
    cpuFigures(figures, cpu, elapsed, result.answered());
    long resident = 0;
    for (JavaProcess process : contender.processes()) {
      resident += process.residentBytes();
    }
    figures.put("rss MiB", resident / 1048576.0);
    if (buys(path) && taken > 0) {
      figures.put("redis bytes a unit", (backends.redisBytes() - redisBefore) / (double) taken);
    }
    double perSecond = result.perSecond();
    if (drains && path == Path.END_TO_END) {
      figures.put("accepted/s", perSecond);
      figures.put("backlog at the end", (double) recorder.largestBacklog());
      perSecond = books.stream().mapToLong(Book::orders).sum() / elapsed;
    }
    long statuses = result.byStatus().values().stream().mapToLong(count -> count).sum();
    long refused = buys(path) ? statuses - accepted(contender, path, result) : 0;
    if (refused > 0) {
      figures.put("not accepted", (double) refused);
      if (path != Path.END_TO_END || !drains) {
        perSecond *= 1 - refused / (double) statuses;
      }
    }
    List<String> breaches = new ArrayList<>(breaches(contender, path, sales, result, books));
    if (result.failed() > 0) {
      figures.put("failed", (double) result.failed());
    }
    if (path == Path.SOLD_OUT && books.stream().anyMatch(book -> book.available() > 0)) {
      breaches.add("I9: units are left of what more buyers wanted: " + books);
    }
    if (result.untracked() > 0) {
      breaches.add(result.untracked() + " purchases had not ended in time");
    }
    long oversold = books.stream().mapToLong(Invariants::oversold).sum();
    if (oversold > 0) {
      figures.put("oversold", (double) oversold);
    }
    backends.clear(sales.firstProduct(), sales.products());
    return measurement(
        path,
        contender.name(),
        sales,
        round,
        result,
        perSecond,
        figures,
        recorder.samples(),
        breaches);
  }

  private static List<String> breaches(
      Contender contender, Path path, Sales sales, LoadResult result, List<Book> books) {
    long accepted = sales.acceptedBefore();
    long uncertain = sales.uncertainBefore() + result.unanswered();
    if (buys(path)) {
      boolean told = !result.byStatus().isEmpty();
      accepted += told ? accepted(contender, path, result) : 0;
      // a 5xx does not tell whether the purchase was accepted
      uncertain += told ? result.serverErrors() : result.answered();
    }
    return contender.traits().books()
        ? Invariants.breaches(books, accepted, uncertain, contender.traits().persists())
        : Invariants.breachesOfMysql(books, accepted, uncertain);
  }

  private static long accepted(Contender contender, Path path, LoadResult result) {
    long ended = path == Path.WAITING ? result.count(200) : 0;
    return result.count(contender.traits().accepts()) + ended;
  }

  private static boolean buys(Path path) {
    return switch (path) {
      case ACCEPTED, OPEN, END_TO_END, OPEN_END_TO_END, WAITING, UNASKED, AT_RATE -> true;
      default -> false;
    };
  }

  private static void cpuFigures(
      Map<String, Double> figures, Map<String, Double> cpu, double seconds, long requests) {
    double perRequest = 1e6 / Math.max(1, requests);
    double all = PARTS.stream().mapToDouble(cpu::get).sum();
    figures.put("cpu µs a request", cpu.get("contender") * perRequest);
    figures.put("redis cpu µs a request", cpu.get("redis") * perRequest);
    figures.put("all cpu µs a request", all * perRequest);
    cpu.forEach((part, used) -> figures.put("cores " + part, used / seconds));
  }

  private static Measurement measurement(
      Path path,
      String contender,
      Sales sales,
      int round,
      LoadResult load,
      double perSecond,
      Map<String, Double> figures,
      List<Sample> samples,
      List<String> breaches) {
    return new Measurement(
        path,
        contender,
        sales.products(),
        round,
        load.generator(),
        perSecond,
        figures,
        load.sortedStatuses(),
        percentiles(load.latency()),
        percentiles(load.untilTerminal()),
        samples,
        breaches);
  }

  private static Map<String, Double> percentiles(Histogram micros) {
    Map<String, Double> percentiles = new LinkedHashMap<>();
    if (micros.getTotalCount() > 0) {
      for (double percentile : PERCENTILES) {
        String name =
            percentile == 100 ? "max" : "p" + Double.toString(percentile).replace(".0", "");
        percentiles.put(name, micros.getValueAtPercentile(percentile) / 1000.0);
      }
    }
    return percentiles;
  }

  /** Records how many purchases are accepted and not yet confirmed. */
  private static final class BacklogRecorder implements AutoCloseable {
    private final Backends backends;
    private final long firstProduct;
    private final int products;
    private final long everyMillis;
    private final List<Sample> samples = new ArrayList<>();
    private final long start = System.nanoTime();
    private volatile boolean stopped;
    private CompletableFuture<Void> recording = CompletableFuture.completedFuture(null);

    BacklogRecorder(Backends backends, long firstProduct, int products, long everyMillis) {
      this.backends = backends;
      this.firstProduct = firstProduct;
      this.products = products;
      this.everyMillis = everyMillis;
    }

    BacklogRecorder start() {
      recording = CompletableFuture.runAsync(this::record);
      return this;
    }

    private void record() {
      while (!stopped) {
        sample();
        try {
          TimeUnit.MILLISECONDS.sleep(everyMillis);
        } catch (InterruptedException e) {
          throw new CompletionException(e);
        }
      }
      sample();
    }

    private void sample() {
      Backends.Progress progress = backends.progress(firstProduct, products);
      samples.add(
          new Sample(
              (System.nanoTime() - start) / 1e9,
              progress.pending() + progress.sold(),
              progress.sold()));
    }

    /**
     * Waits until every order is confirmed, at most for the limit. The check of the books finds
     * unconfirmed orders.
     */
    void awaitDrained(Duration limit) throws InterruptedException {
      long deadline = System.nanoTime() + limit.toNanos();
      int quiet = 0;
      while (quiet < 2 && System.nanoTime() < deadline) {
        quiet = backends.progress(firstProduct, products).isDrained() ? quiet + 1 : 0;
        TimeUnit.MILLISECONDS.sleep(10);
      }
    }

    long largestBacklog() {
      return samples.stream().mapToLong(s -> s.accepted() - s.persisted()).max().orElse(0);
    }

    List<Sample> samples() {
      return List.copyOf(samples);
    }

    @Override
    public void close() {
      stopped = true;
      recording.join();
    }
  }
}
