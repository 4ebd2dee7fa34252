package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Document;
import io.seckill.testing.Products;
import io.seckill.testing.Shell;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The container image of the packaged application, on a base of this test's own: a folder for
 * temporary files. It is run as a container would be, in a file system of its own.
 */
class ImageIT {
  private static final Path JAR = Path.of("target", "seckill-gateway.jar").toAbsolutePath();
  private static final String TAR = "tar --warning=no-unknown-keyword ";
  private static final String JARS = "app/libs/";
  private static final String APPLICATION = "app/classpath/seckill-gateway.jar";

  /** Has the image's files as its root, read-only, with this machine's libraries and JDK. */
  private static final String CONTAINER =
      """
      set -eu
      cd %1$s
      mount --make-rprivate /
      mount --bind . .
      cd %1$s
      for folder in usr bin lib lib64 etc proc dev; do
        [[ ! -e /$folder ]] || mount --rbind /$folder $folder
      done
      mount --bind %2$s jre
      mount -o remount,bind,ro .
      mount -t tmpfs -o noexec,nosuid,nodev tmpfs tmp
      export PATH=/jre/bin:/usr/bin:/bin:/usr/sbin
      exec chroot . setpriv --reuid %3$s --regid %4$s --clear-groups %5$s
      """;

  @TempDir private static Path directory;

  private static final List<List<String>> layers = new ArrayList<>();
  private static JsonNode configuration;

  @BeforeAll
  static void build() throws Exception {
    Path base = makeBase(Files.createDirectories(directory.resolve("base")));
    Path image = Files.createDirectories(directory.resolve("image"));
    String documented = Document.of("docs/DEPLOYING.md").commands("mvn -Pimage").get(0);
    type(
        Path.of("").toAbsolutePath(),
        documented.replace(" package ", " -B -q ") // the jar is there
            + " -Dseckill.image.base=tar://"
            + base
            + " -Djib.outputPaths.tar="
            + image.resolve("image.tar"));
    type(image, TAR + "-xf image.tar");
    JsonNode manifest = json(image.resolve("manifest.json")).get(0);
    configuration = json(image.resolve(manifest.path("Config").asText()));
    for (JsonNode layer : manifest.path("Layers")) {
      layers.add(type(image, TAR + "-tzf " + layer.asText()).lines().toList());
      type(
          Files.createDirectories(directory.resolve("root")),
          TAR + "-xzf " + image.resolve(layer.asText()));
    }
  }

  /** An image's archive as {@code docker save} writes it. */
  private static Path makeBase(Path folder) throws Exception {
    Files.createDirectory(folder.resolve("tmp"));
    type(folder, "chmod 1777 tmp; tar -cf layer.tar tmp");
    String digest =
        HexFormat.of()
            .formatHex(
                MessageDigest.getInstance("SHA-256")
                    .digest(Files.readAllBytes(folder.resolve("layer.tar"))));
    Files.writeString(
        folder.resolve("config.json"),
        """
        {"architecture":"amd64","os":"linux","config":{},
         "rootfs":{"type":"layers","diff_ids":["sha256:%s"]},"history":[{"created_by":"ImageIT"}]}
        """
            .formatted(digest));
    Files.writeString(
        folder.resolve("manifest.json"),
        """
        [{"Config":"config.json","RepoTags":["base:1"],"Layers":["layer.tar"]}]
        """);
    type(folder, "tar -cf base.tar manifest.json config.json layer.tar");
    return folder.resolve("base.tar");
  }

  private static String type(Path folder, String command) throws Exception {
    Shell.Result result = new Shell(folder).runWithErrors(List.of(command));
    assertThat(result.exitCode()).as(command + "\n" + result.printed()).isZero();
    return result.printed();
  }

  private static JsonNode json(Path file) throws IOException {
    return new ObjectMapper().readTree(file.toFile());
  }

  @Test
  void shouldRunAsANumberedUserWhoIsNotRoot() {
    assertThat(configuration.at("/config/User").asText()).matches("[1-9]\\d*:[1-9]\\d*");
  }

  @Test
  void shouldOpenThePortsOfBuyersAndOfManagementAndWriteToTemporaryFilesOnly() {
    assertThat(names("/config/ExposedPorts")).containsExactlyInAnyOrder("8080/tcp", "9876/tcp");
    assertThat(names("/config/Volumes")).containsExactly("/tmp");
  }

  private static List<String> names(String object) {
    List<String> names = new ArrayList<>();
    configuration.at(object).fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void shouldTakeItsMemoryFromTheContainerAndEndWithoutMemory() {
    assertThat(entrypoint())
        .startsWith("java")
        .contains("-XX:MaxRAMPercentage=70", "-XX:+ExitOnOutOfMemoryError")
        .endsWith("io.seckill.SeckillApplication");
  }

  private static List<String> entrypoint() {
    return StreamSupport.stream(configuration.at("/config/Entrypoint").spliterator(), false)
        .map(JsonNode::asText)
        .toList();
  }

  @Test
  void shouldKeepLibrariesInALayerBelowTheApplication() throws Exception {
    int application = layerWith(APPLICATION);
    int libraries = layerWith(JARS);
    assertThat(libraries).isLessThan(application);
    assertThat(layers.get(application)).filteredOn(ImageIT::isJar).containsExactly(APPLICATION);
    try (var copied = Files.list(JAR.resolveSibling("lib"))) {
      assertThat(layers.get(libraries))
          .filteredOn(ImageIT::isJar)
          .containsExactlyInAnyOrderElementsOf(
              copied.map(library -> JARS + library.getFileName()).toList());
    }
    assertThat(directory.resolve("root").resolve(APPLICATION)).hasSameBinaryContentAs(JAR);
  }

  private static int layerWith(String file) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < layers.size(); i++) {
      if (layers.get(i).contains(file)) {
        found.add(i);
      }
    }
    assertThat(found).as(file).hasSize(1);
    return found.get(0);
  }

  private static boolean isJar(String file) {
    return file.endsWith(".jar");
  }

  @Test
  void shouldTakeOrdersAsItsUserOnAFileSystemThatIsReadOnly() throws Exception {
    assumeThat(new Shell(directory).run(List.of("unshare --mount true")).exitCode())
        .as("A file system of its own needs root here")
        .isZero();
    Path root = directory.resolve("root");
    for (String folder : List.of("usr", "bin", "lib", "lib64", "etc", "proc", "dev", "jre")) {
      Files.createDirectories(root.resolve(folder));
    }
    String[] user = configuration.at("/config/User").asText().split(":");
    Path script =
        Files.writeString(
            directory.resolve("container"),
            CONTAINER.formatted(
                root, System.getProperty("java.home"), user[0], user[1], words(entrypoint())));
    Map<String, String> properties = new LinkedHashMap<>(TestServers.get().properties());
    properties.putAll(TestApplication.apart("image", 4));
    properties.put("seckill.admin.token", "a-token");
    ApplicationProcess application =
        ApplicationProcess.shown(directory, "exec unshare --mount bash " + script)
            .environment("JAVA_TOOL_OPTIONS", "-Xmx512m -XX:TieredStopAtLevel=1");
    properties.forEach(
        (name, value) -> application.environment(Settings.environmentName(name), value));
    try (application) {
      application.start().awaitReady();
      assertThat(Files.readString(Path.of("/proc", Long.toString(application.pid()), "status")))
          .containsPattern("(?m)^Uid:\\s+" + user[0] + "\\b");
      Shop shop = new Shop(application.baseUrl(), "a-token");
      long product = Products.next();
      shop.openSale(product, 1);
      shop.awaitEnd(7, shop.buyOnceOpen(product, 7, "image").requestId());
    }
  }

  private static String words(List<String> command) {
    return command.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
  }
}
