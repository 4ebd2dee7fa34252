package io.seckill.bench.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How every contender's JVM is started.
 *
 * @param product the build that is measured
 * @param before another build of the application to compare it with
 * @param toolsClasspath of the benchmark, with embedded servers
 * @param flags heap and collector, the same for all; &#123;name} stands for the contender's name
 * @param directory working directory of the contenders, also for logs
 */
public record Launch(
    Build product,
    Optional<Build> before,
    String toolsClasspath,
    List<String> flags,
    Path directory) {
  public Launch {
    flags = List.copyOf(flags);
  }
}
