package io.seckill.bench.run;

import io.seckill.bench.load.Programs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A compiled build of the application. Each build has its own scripts, statements, routes and
 * tables, so builds that differ in these can be compared.
 *
 * @param classes its compiled classes and resources
 * @param classpath {@code classes} and the libraries it runs with, without embedded servers
 */
public record Build(Path classes, String classpath) {
  private static final Duration COMPILE_LIMIT = Duration.ofMinutes(5);

  /**
   * @param classpath of a compiled build; its first entry holds the classes
   */
  public static Build of(String classpath) {
    return new Build(Path.of(classpath.split(File.pathSeparator)[0]), classpath);
  }

  /**
   * Compiles a checkout of the application; Maven leaves classes that are up to date alone.
   *
   * @param checkout a directory with a {@code pom.xml}
   * @param scratch directory for the list of its libraries
   * @throws IOException when it does not compile, with Maven's output
   */
  public static Build compile(Path checkout, Path scratch)
      throws IOException, InterruptedException {
    Path pom = checkout.resolve("pom.xml");
    if (!Files.exists(pom)) {
      throw new IOException("there is no " + pom);
    }
    Path libraries = scratch.resolve("against.classpath");
    Programs.output(
        List.of(
            "mvn",
            "-B",
            "-q",
            "-f",
            pom.toString(),
            "compile",
            "dependency:build-classpath",
            "-Dmdep.includeScope=runtime",
            "-Dmdep.outputFile=" + libraries),
        COMPILE_LIMIT);
    Path classes = checkout.resolve("target").resolve("classes");
    return new Build(classes, classes + File.pathSeparator + Files.readString(libraries).strip());
  }
}
