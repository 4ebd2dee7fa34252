package io.seckill.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Reads the CPU seconds of contender, Redis, Kafka and MariaDB. {@code machine} is the sum over all
 * processes and the kernel, including the load generator; 0 when the platform does not tell.
 */
final class CpuMeter {
  private static final Path STAT = Path.of("/proc/stat");
  private static final int IDLE = 4;
  private static final int IO_WAIT = 5;
  private static final double TICKS_PER_SECOND = 100;

  private final Map<String, List<ProcessHandle>> parts = new LinkedHashMap<>();

  CpuMeter(Contender contender, JavaProcess servers) {
    parts.put(
        "contender",
        contender.processes().stream()
            .flatMap(process -> ProcessHandle.of(process.pid()).stream())
            .toList());
    ProcessHandle kafka = ProcessHandle.of(servers.pid()).orElseThrow();
    parts.put("kafka", List.of(kafka));
    parts.put("redis", children(kafka, "redis"));
    parts.put("mariadb", children(kafka, "maria"));
  }

  private static List<ProcessHandle> children(ProcessHandle parent, String name) {
    return parent
        .descendants()
        .filter(child -> child.info().command().orElse("").contains(name))
        .toList();
  }

  Map<String, Double> read() throws IOException {
    Map<String, Double> seconds = new LinkedHashMap<>();
    parts.forEach(
        (part, handles) ->
            seconds.put(part, handles.stream().mapToDouble(CpuMeter::seconds).sum()));
    seconds.put("machine", machine());
    return seconds;
  }

  static Map<String, Double> difference(Map<String, Double> before, Map<String, Double> after) {
    Map<String, Double> difference = new LinkedHashMap<>();
    after.forEach((part, seconds) -> difference.put(part, seconds - before.get(part)));
    return difference;
  }

  private static double seconds(ProcessHandle handle) {
    return handle.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }

  private static double machine() throws IOException {
    if (!Files.isReadable(STAT)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(STAT)) {
      String[] fields = lines.findFirst().orElseThrow().trim().split("\\s+");
      double busy = 0;
      for (int i = 1; i <= 8 && i < fields.length; i++) {
        if (i != IDLE && i != IO_WAIT) {
          busy += Double.parseDouble(fields[i]);
        }
      }
      return busy / TICKS_PER_SECOND;
    }
  }
}
