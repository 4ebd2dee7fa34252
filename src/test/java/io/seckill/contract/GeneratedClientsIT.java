package io.seckill.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.cfg.PackageVersion;
import io.seckill.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that OpenAPI Generator makes of the published contract compile. */
class GeneratedClientsIT {
  private static final String GENERATOR_VERSION = "7.17.0";

  /** Libraries of the Java client; the test class path has the rest of Jackson. */
  private static final List<String> LIBRARIES =
      List.of(
          "com.fasterxml.jackson.datatype:jackson-datatype-jsr310:" + PackageVersion.VERSION,
          "jakarta.annotation:jakarta.annotation-api:2.1.1",
          "org.openapitools:jackson-databind-nullable:0.2.8");

  @TempDir private static Path directory;

  @BeforeAll
  static void fetchGenerator() throws Exception {
    fetch("org.openapitools:openapi-generator-cli:" + GENERATOR_VERSION, directory);
  }

  @Test
  void shouldCompileInJava() throws Exception {
    Path client = generate("java --library native --additional-properties=useJakartaEe=true");

    Path libraries = directory.resolve("libraries");
    for (String library : LIBRARIES) {
      fetch(library, libraries);
    }
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-cp"));
    arguments.add(
        String.join(":", files(libraries, ".jar"))
            + ":"
            + System.getProperty(
                "surefire.test.class.path", System.getProperty("java.class.path")));
    arguments.addAll(List.of("-d", Files.createDirectory(client.resolve("classes")).toString()));
    arguments.addAll(files(client.resolve("src/main/java"), ".java"));
    int errors =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));

    assertThat(errors).isZero();
    assertThat(files(client.resolve("classes"), ".class"))
        .anyMatch(file -> file.endsWith("BuyersApi.class"));
  }

  @Test
  void shouldCompileInTypeScript() throws Exception {
    Assumptions.assumeTrue(
        new Shell(directory).run(List.of("tsc --version")).exitCode() == 0,
        "There is no tsc on the PATH: install it (npm install --global typescript@5.9.3)");
    Path client = generate("typescript-fetch");

    run(
        "tsc --noEmit --strict --target es2022 --module nodenext --lib es2022,dom "
            + client.resolve("index.ts"));

    assertThat(client.resolve("apis/BuyersApi.ts")).exists();
  }

  private static void fetch(String artifact, Path target) throws Exception {
    run("mvn -B -q dependency:copy -Dartifact=" + artifact + " -DoutputDirectory=" + target);
  }

  private static Path generate(String generator) throws Exception {
    Path client = directory.resolve(generator.split(" ")[0]);
    run(
        "java -jar "
            + directory.resolve("openapi-generator-cli-" + GENERATOR_VERSION + ".jar")
            + " generate -i src/main/resources/openapi.yaml -g "
            + generator
            + " -o "
            + client);
    return client;
  }

  private static List<String> files(Path folder, String end) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(Path::toString).filter(file -> file.endsWith(end)).toList();
    }
  }

  private static void run(String line) throws Exception {
    Shell.Result result = new Shell(Path.of("").toAbsolutePath()).runWithErrors(List.of(line));
    assertThat(result.exitCode()).as(result.printed()).isZero();
  }
}
