package io.seckill.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/** The closed loop by <a href="https://github.com/wg/wrk">wrk</a>, where it is installed. */
public final class Wrk {
  private static final Pattern REQUESTS =
      Pattern.compile("(\\d+) requests in ([0-9.]+)(ms|s|m)\\b");
  private static final Pattern ERRORS =
      Pattern.compile("Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");

  private Wrk() {}

  public static boolean isInstalled() {
    return Programs.find("wrk").isPresent();
  }

  /** One thread of wrk; each connection sends its next request when the last one is answered. */
  public static LoadResult run(
      int port, RequestTemplate template, int connections, Duration duration, Path directory)
      throws IOException, InterruptedException {
    Path script = Files.createTempFile(Files.createDirectories(directory), "requests", ".lua");
    Files.writeString(script, script(template));
    List<String> command =
        List.of(
            Programs.find("wrk").orElseThrow().toString(),
            "-t1",
            "-c" + connections,
            "-d" + Math.max(1, duration.toSeconds()) + "s",
            "-s",
            script.toString(),
            "http://127.0.0.1:" + port);
    String output = Programs.output(command, duration.plusSeconds(30));
    Files.delete(script);
    return parse(output, connections);
  }

  static LoadResult parse(String output, int connections) throws IOException {
    Matcher requests = REQUESTS.matcher(output);
    if (!requests.find()) {
      throw new IOException("unexpected output of wrk: " + output);
    }
    long answered = Long.parseLong(requests.group(1));
    double unit =
        switch (requests.group(3)) {
          case "ms" -> 0.001;
          case "m" -> 60;
          default -> 1;
        };
    double seconds = Double.parseDouble(requests.group(2)) * unit;
    long failed = 0;
    Matcher errors = ERRORS.matcher(output);
    if (errors.find()) {
      for (int i = 1; i <= 4; i++) {
        failed += Long.parseLong(errors.group(i));
      }
    }
    return new LoadResult(
        "wrk",
        seconds,
        answered,
        Map.of(),
        failed,
        connections,
        new Histogram(3),
        new Histogram(3),
        0);
  }

  static String script(RequestTemplate template) {
    StringBuilder lua = new StringBuilder();
    lua.append("local n = -1\nfunction request()\n  n = n + 1\n");
    lua.append("  local user = string.format('%.0f', ").append(template.firstUser());
    lua.append(" + n % ").append(template.users()).append(")\n");
    lua.append("  local product = string.format('%.0f', ").append(template.firstProduct());
    lua.append(" + n % ").append(template.products()).append(")\n  return '");
    lua.append(
        template
            .text()
            .replace("\r\n", "\\r\\n")
            .replace("{user}", "' .. user .. '")
            .replace("{product}", "' .. product .. '"));
    return lua.append("'\nend\n").toString();
  }
}
