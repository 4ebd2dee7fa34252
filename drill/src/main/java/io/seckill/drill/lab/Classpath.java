package io.seckill.drill.lab;

import io.seckill.drill.agent.AgentConfiguration;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The classpath of the drilled application: its own classes and the drill's agent. */
final class Classpath {
  private static final String TOOLS = "test-classes";

  private Classpath() {}

  /** The classpath of this JVM. */
  static List<String> all() {
    String classpath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return List.of(classpath.split(File.pathSeparator));
  }

  /**
   * The application's classpath.
   *
   * @param scratch a folder to copy the agent to
   * @param first folders whose files come before the application's own
   */
  static String application(Path scratch, List<Path> first) {
    List<String> entries = new ArrayList<>();
    first.forEach(folder -> entries.add(folder.toString()));
    entries.add(agent(scratch).toString());
    all().stream().filter(entry -> !Path.of(entry).endsWith(TOOLS)).forEach(entries::add);
    return String.join(File.pathSeparator, entries);
  }

  /** One node at a time, and only what differs: another node may be reading its classes. */
  private static synchronized Path agent(Path scratch) {
    Path copy = scratch.resolve("agent");
    String packageFolder = AgentConfiguration.class.getPackageName().replace('.', '/');
    Path source =
        all().stream()
            .map(entry -> Path.of(entry).resolve(packageFolder))
            .filter(Files::isDirectory)
            .findFirst()
            .orElseThrow(() -> new LabException("The drill's agent is not on the classpath"));
    try (Stream<Path> files = Files.list(source)) {
      Path target = Files.createDirectories(copy.resolve(packageFolder));
      for (Path file : files.filter(it -> !it.toString().contains("Test")).toList()) {
        Path copied = target.resolve(file.getFileName());
        if (!Files.exists(copied) || Files.mismatch(file, copied) >= 0) {
          Files.copy(file, copied, StandardCopyOption.REPLACE_EXISTING);
        }
      }
      return copy;
    } catch (IOException e) {
      throw new LabException("Cannot copy the agent", e);
    }
  }

  /** The folder of the application's own classes and files. */
  static Path ownClasses() {
    return all().stream()
        .map(Path::of)
        .filter(entry -> Files.exists(entry.resolve("io/seckill/SeckillApplication.class")))
        .findFirst()
        .orElseThrow(
            () ->
                new LabException(
                    "The application is not on the classpath: "
                        + Arrays.toString(all().toArray())));
  }
}
