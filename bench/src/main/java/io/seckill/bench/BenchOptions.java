package io.seckill.bench;

import io.seckill.bench.run.Campaign;
import io.seckill.bench.run.Measurement;
import io.seckill.bench.run.Product;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command line of {@code bin/bench}.
 *
 * @param quick fewer and shorter rounds
 * @param growth measure how the cost grows, instead of a comparison
 * @param json file for the figures
 * @param out directory of the reports, of logs and of the servers' data
 * @param paths what to measure
 * @param contenders the contenders to measure; empty for all
 * @param wrk use wrk for the closed loop where it is installed
 * @param profile record each contender with JFR
 * @param warmUp CPU time for the warm-up of each contender; empty for the plan's
 * @param rounds how often to repeat each comparison; empty for the plan's
 * @param products numbers of products over which buyers spread, besides 1; empty for the plan's
 * @param rate purchases a second of the path at-rate; empty: the path is left out
 * @param against checkout of another build of the application to compare with
 */
public record BenchOptions(
    boolean quick,
    boolean growth,
    Path json,
    Path out,
    Set<Measurement.Path> paths,
    Set<String> contenders,
    boolean wrk,
    boolean profile,
    Optional<Duration> warmUp,
    Optional<Integer> rounds,
    List<Integer> products,
    Optional<Integer> rate,
    Optional<Path> against) {

  private static final Set<String> TWO_BUILDS =
      Set.of(Product.REQUEST_PATH, Product.FULL, Product.BEFORE_REQUEST_PATH, Product.BEFORE);

  public static final String USAGE =
      String.format(
          Locale.ROOT,
          """
          bin/bench [options]   compares the application with hand-written baselines on this machine

            --quick             fewer and shorter rounds: at most 10 minutes on 2 free cores
            --json FILE         file for the figures (default: OUT/bench.json)
            --out DIR           directory for reports, logs and the servers' data (default: target/bench)
            --only PATH,…       measure only these paths: %s
            --contenders NAME,… only these take part: product, product-front (the request path alone),
                                product-b, hand-written, tuned, naive, conditional, pipeline, before and
                                before-front (the build of --against)
            --against DIR       add another build of the application; DIR is a checkout, which is compiled
            --alone             with --against: only the two builds take part
            --rounds N          N rounds on each path
            --products N,…      numbers of products besides 1 (default: 10,100)
            --rate N            measure also the CPU time of an order at N purchases a second
            --no-wrk            use the benchmark's own closed loop even where wrk is installed
            --profile           record each contender with JFR, in OUT
            --warm-up SECONDS   CPU time of each contender before it is measured
            --growth            measure how the cost grows with products, buyers and instances, instead

          It starts its own Redis, Kafka and MariaDB and sends requests to 127.0.0.1 only.
          Exit code 1: an invariant was breached. Exit code 2: it could not run.
          """,
          Stream.of(Measurement.Path.values())
              .map(Measurement.Path::label)
              .collect(Collectors.joining(", ")));

  /**
   * @throws IllegalArgumentException when an option is unknown or has a wrong value; the message is
   *     for the user
   */
  public static BenchOptions parse(List<String> arguments) {
    boolean quick = false;
    boolean growth = false;
    boolean wrk = true;
    boolean profile = false;
    boolean alone = false;
    Optional<Duration> warmUp = Optional.empty();
    Optional<Integer> rounds = Optional.empty();
    List<Integer> products = List.of();
    Optional<Integer> rate = Optional.empty();
    Optional<Path> against = Optional.empty();
    Path json = null;
    Path out = Path.of("target", "bench");
    Set<Measurement.Path> paths = EnumSet.allOf(Measurement.Path.class);
    Set<String> contenders = Set.of();
    Deque<String> rest = new ArrayDeque<>(arguments);
    while (!rest.isEmpty()) {
      String option = rest.poll();
      switch (option) {
        case "--quick" -> quick = true;
        case "--growth" -> growth = true;
        case "--no-wrk" -> wrk = false;
        case "--profile" -> profile = true;
        case "--json" -> json = Path.of(value(option, rest));
        case "--out" -> out = Path.of(value(option, rest));
        case "--only" -> paths = paths(value(option, rest));
        case "--contenders" -> contenders = contenders(value(option, rest));
        case "--alone" -> alone = true;
        case "--against" ->
            against = Optional.of(Path.of(value(option, rest)).toAbsolutePath().normalize());
        case "--rounds" -> rounds = Optional.of(count(option, value(option, rest)));
        case "--products" ->
            products =
                Stream.of(value(option, rest).split(","))
                    .map(number -> count(option, number))
                    .sorted()
                    .toList();
        case "--rate" -> rate = Optional.of(count(option, value(option, rest)));
        case "--warm-up" -> warmUp = Optional.of(seconds(value(option, rest)));
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
    if (alone) {
      if (against.isEmpty()) {
        throw new IllegalArgumentException("--alone needs --against DIR");
      }
      contenders = TWO_BUILDS;
    }
    if (growth && against.isPresent()) {
      throw new IllegalArgumentException("--growth measures one build: leave out --against");
    }
    Path directory = out.toAbsolutePath().normalize();
    return new BenchOptions(
        quick,
        growth,
        json == null ? directory.resolve("bench.json") : json.toAbsolutePath(),
        directory,
        paths,
        contenders,
        wrk,
        profile,
        warmUp,
        rounds,
        products,
        rate,
        against);
  }

  private static String value(String option, Deque<String> rest) {
    if (rest.isEmpty()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return rest.poll();
  }

  private static Duration seconds(String text) {
    try {
      return Duration.ofSeconds(Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(text + " is not a number of seconds", e);
    }
  }

  private static int count(String option, String text) {
    if (text.matches("[1-9]\\d{0,4}")) {
      return Integer.parseInt(text);
    }
    throw new IllegalArgumentException(option + " takes whole numbers from 1, not " + text);
  }

  private static Set<String> contenders(String names) {
    Set<String> contenders = new LinkedHashSet<>(List.of(names.split(",")));
    for (String name : contenders) {
      if (!Campaign.CONTENDERS.contains(name)) {
        throw new IllegalArgumentException("no contender " + name);
      }
    }
    return contenders;
  }

  private static Set<Measurement.Path> paths(String labels) {
    Set<Measurement.Path> paths = EnumSet.noneOf(Measurement.Path.class);
    for (String label : labels.split(",")) {
      paths.add(
          Stream.of(Measurement.Path.values())
              .filter(path -> path.label().equals(label))
              .findFirst()
              .orElseThrow(() -> new IllegalArgumentException("no path " + label)));
    }
    return paths;
  }
}
