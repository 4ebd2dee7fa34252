package io.seckill.bench;

import io.seckill.bench.report.BenchReport;
import io.seckill.bench.report.GrowthReport;
import io.seckill.bench.report.JsonReport;
import io.seckill.bench.run.Build;
import io.seckill.bench.run.Campaign;
import io.seckill.bench.run.Launch;
import io.seckill.bench.run.Plan;
import io.seckill.bench.run.ProgressLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The command {@code bin/bench}. */
public final class Bench {
  private static final List<String> FLAGS = List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC");

  private Bench() {}

  public static void main(String[] args) {
    System.exit(run(List.of(args)));
  }

  private static int run(List<String> arguments) {
    if (arguments.contains("--help")) {
      System.out.println(BenchOptions.USAGE);
      return 0;
    }
    try {
      return run(BenchOptions.parse(arguments));
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.println(BenchOptions.USAGE);
      return 2;
    } catch (Exception e) {
      System.err.println("The benchmark cannot go on: " + e);
      e.printStackTrace();
      return 2;
    }
  }

  private static int run(BenchOptions options) throws Exception {
    Files.createDirectories(options.out());
    ProgressLine progress = new ProgressLine(System.out);
    Plan standard = options.quick() ? Plan.quick() : Plan.thorough();
    Plan warmed = options.warmUp().map(standard::warmedUpFor).orElse(standard);
    Plan repeated = options.rounds().map(warmed::repeated).orElse(warmed);
    Plan over = options.products().isEmpty() ? repeated : repeated.over(options.products());
    Plan plan = options.rate().map(over::at).orElse(over);
    List<String> flags = new ArrayList<>(FLAGS);
    if (options.profile()) {
      flags.add(
          "-XX:StartFlightRecording=settings=profile,filename=" + options.out() + "/{name}.jfr");
    }
    Optional<Build> before = Optional.empty();
    if (options.against().isPresent()) {
      progress.say("compiling " + options.against().get());
      before = Optional.of(Build.compile(options.against().get(), options.out()));
    }
    Launch launch =
        new Launch(
            Build.of(System.getProperty("bench.product.classpath")),
            before,
            System.getProperty("java.class.path"),
            flags,
            options.out());
    try (Campaign campaign =
        Campaign.start(
            launch, plan, options.paths(), options.contenders(), options.wrk(), progress)) {
      if (options.growth()) {
        write(options, GrowthReport.of(campaign.growth(), campaign.failures()));
        return 0;
      }
      campaign.run();
      BenchReport report =
          new BenchReport(
              machine(options, flags, campaign.closedGenerator()),
              campaign.measurements(),
              campaign.failures(),
              campaign.footprints());
      write(options, report);
      return report.breaches().isEmpty() ? 0 : 1;
    }
  }

  private static void write(BenchOptions options, BenchReport report) throws IOException {
    String markdown = report.markdown();
    Path page = options.out().resolve("report.html");
    Path text = options.out().resolve("report.md");
    Files.write(options.json(), JsonReport.write(report));
    Files.writeString(text, markdown);
    Files.writeString(page, report.html());
    System.out.println();
    System.out.println(markdown);
    System.out.println("Figures: " + options.json());
    System.out.println("Report:  " + text);
    System.out.println("Page:    " + page);
  }

  private static void write(BenchOptions options, GrowthReport report) throws IOException {
    Path text = options.out().resolve("growth.md");
    Files.write(options.json(), report.json());
    Files.writeString(text, report.markdown());
    System.out.println();
    System.out.println(report.markdown());
    System.out.println("Figures: " + options.json());
    System.out.println("Report:  " + text);
  }

  private static Map<String, String> machine(
      BenchOptions options, List<String> flags, String generator) throws IOException {
    Map<String, String> machine = new LinkedHashMap<>();
    machine.put("when", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    machine.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    machine.put("processor", processor());
    machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("java", Runtime.version().toString());
    machine.put("every contender's JVM", String.join(" ", flags));
    machine.put("closed loop", generator + ", 64 connections, on the same cores");
    options.against().ifPresent(other -> machine.put("other build", other.toString()));
    machine.put("plan", options.quick() ? "quick" : "thorough");
    return machine;
  }

  private static String processor() throws IOException {
    Path info = Path.of("/proc/cpuinfo");
    if (!Files.isReadable(info)) {
      return System.getProperty("os.arch");
    }
    return Files.readAllLines(info).stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse(System.getProperty("os.arch"));
  }
}
