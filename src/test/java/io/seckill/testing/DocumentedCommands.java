package io.seckill.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What the documents show to be typed, and where it is tried. A command that a document shows anew
 * belongs in one of the three lists.
 */
public final class DocumentedCommands {
  private DocumentedCommands() {}

  /** Run by {@code DocumentedCommandsIT} as they stand. */
  public static final List<String> RUN =
      List.of(
          "mvn -q verify -Dtest=PurchaseReaderTest -Dit.test=LedgerIT",
          "mvn -q test -Dtest=PurchaseReaderTest",
          "mvn -q verify -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=LedgerIT",
          "mvn -q spotless:apply",
          "mvn -q test -Dtest=DocumentsTest -Dseckill.docs.update=true",
          "bin/bench --help",
          "bin/bench --quick --only accepted --contenders product-front --products 1 --rounds 1 --warm-up 1",
          "bin/drill --list",
          "bin/drill --fault redis-kill --seed 7 --runs 1",
          "bin/hawtio",
          "prometheus --config.file=watch/prometheus.yml --storage.tsdb.path=target/prometheus");

  /** Run by other tests, by the beginning of the command. */
  public static final Map<String, List<String>> RUN_ELSEWHERE = elsewhere();

  private static Map<String, List<String>> elsewhere() {
    Map<String, List<String>> tests = new LinkedHashMap<>();
    tests.put("DocumentedSessionsIT", List.of("mvn compile camel:run", "curl ", "TOKEN="));
    tests.put(
        "PackagedApplicationIT",
        List.of(
            "export SECKILL_REDIS_URI",
            "java -XX:+ExitOnOutOfMemoryError",
            "java -Dseckill.mysql.password-file"));
    tests.put("ImageIT", List.of("mvn -Pimage package jib:buildTar"));
    tests.put("http/TlsIT", List.of("java -Dseckill.http.tls.certificate"));
    tests.put("sql/MySqlRightsIT", List.of("GRANT "));
    tests.put("redis/RedisRightsIT", List.of("ACL SETUSER "));
    tests.put("admin/RolesIT", List.of("bin/admin-token "));
    tests.put("kafka/KafkaRightsIT", List.of("kafka-acls.sh "));
    return tests;
  }

  /** Not run by any test, by what they are, each with the reason. */
  public static final Map<String, String> NOT_RUN = notRun();

  private static Map<String, String> notRun() {
    Map<String, String> reasons = new LinkedHashMap<>();
    String all = "all tests: it is what runs these tests";
    reasons.put("mvn verify", all);
    reasons.put("mvn package", "a part of what runs these tests");
    reasons.put("bash .ci/run", all);
    reasons.put(".ci/repeat", all);
    reasons.put(".ci/repeat 2", all);
    reasons.put(
        "export SECKILL_TEST_REDIS_URI=redis://… SECKILL_TEST_MYSQL_PASSWORD=…",
        "for servers of one's own; .ci/run gives those of .ci/real-servers");
    reasons.put(
        "mvn verify -Dseckill.test.backends=external -Dseckill.test.kafka.brokers=… -Dseckill.test.mysql.url=jdbc:mysql://…/seckill -Dseckill.test.mysql.user=…",
        "for servers of one's own; .ci/run gives those of .ci/real-servers");
    reasons.put(".ci/real-servers start", "run by .ci/run");
    reasons.put("mvn verify $(cat target/real-servers/run/options)", "run by .ci/run, bounded");
    reasons.put("mvn verify -Dseckill.test.backends=testcontainers", "needs Docker");
    reasons.put(".ci/own-images", "needs Docker");
    reasons.put("export TESTCONTAINERS_RYUK_DISABLED=true", "needs Docker");
    reasons.put(
        "mvn verify -Dseckill.test.backends=testcontainers $(cat target/own-images/options)",
        "needs Docker");
    reasons.put(
        "deploy/up", "needs Docker and a registry; ComposeTest and ComposeIT try its parts");
    String cluster = "needs a Kubernetes; HelmChartTest renders the chart";
    reasons.put("kubectl create secret generic seckill --from-file=deploy/secrets", cluster);
    reasons.put("helm install shop deploy/helm/seckill-gateway -f my-values.yaml", cluster);
    reasons.put("helm test shop", cluster);
    reasons.put("mvn package -DskipTests", "a part of what runs these tests");
    reasons.put("sha256sum target/seckill-gateway.jar", "a digest to compare with another build's");
    reasons.put("docker load -i target/seckill-gateway-image.tar", "needs Docker");
    reasons.put(
        "mvn -Pimage package jib:build -Dseckill.image.name=registry/name:tag", "needs a registry");
    reasons.put("mvn verify -Dseckill.drill=true", "an hour: all faults and planted bugs");
    String client = "a client that the project does not bring";
    reasons.put(
        "REDISCLI_AUTH=$(cat data/redis/password) redis-cli -p 16379 hgetall 'seckill:{1001}:sale'",
        client);
    reasons.put(
        "MYSQL_PWD=$(cat data/mariadb/password) mysql -h 127.0.0.1 -P 13306 -u seckill seckill",
        client);
    reasons.put(
        "kafka-console-consumer.sh --bootstrap-server 127.0.0.1:19092 --consumer.config data/kafka/client.properties --topic seckill.orders --from-beginning",
        client);
    String bench = "minutes to hours; its options are read by DocumentedOptionsTest";
    for (String options :
        List.of(
            "",
            " --quick",
            " --growth",
            " --growth --quick",
            " --quick --against DIR",
            " --quick --against DIR --alone --only accepted,sold-out,end-to-end --products 1",
            " --quick --against ../before --alone --only end-to-end --products 1",
            " --quick --contenders product --only end-to-end,end-to-end-open,waiting,unasked --rounds 3 --products 1",
            " --quick --against ../before --alone --only end-to-end,at-rate --rate 600 --products 1 --rounds 4 --warm-up 30")) {
      reasons.put("bin/bench" + options, bench);
    }
    reasons.put("git worktree add ../before e8e1976", "an example of a build to compare with");
    String drill = "minutes to an hour; its options are read by DocumentedOptionsTest";
    for (String options :
        List.of(
            "",
            " --controls",
            " --minutes 60",
            " --minutes 27 --seed 5001 --lanes 3",
            " --minutes 58 --seed 9001",
            " --runs 210 --lanes 3 --controls --json drill.json --out target/soak",
            " --runs 210 --seed 1 --lanes 3 --controls")) {
      reasons.put("bin/drill" + options, drill);
    }
    reasons.put("bin/drill --servers my.properties", "for servers of one's own");
    return reasons;
  }

  /** The pages of the project. */
  public static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(Path.of("docs"))) {
      return Stream.concat(
              Stream.of(
                      "README.md",
                      "CONTRIBUTING.md",
                      "SECURITY.md",
                      "bench/README.md",
                      "drill/README.md",
                      "watch/README.md")
                  .map(Path::of),
              docs.filter(file -> file.toString().endsWith(".md")).sorted())
          .toList();
    }
  }

  /** Everything that any page shows to be typed. */
  public static Set<String> typed() throws IOException {
    Set<String> typed = new TreeSet<>();
    for (Path page : pages()) {
      typed.addAll(Document.of(page.toString()).typed());
    }
    return typed;
  }

  /** Whether another test runs a command. */
  public static boolean isRunElsewhere(String command) {
    return RUN_ELSEWHERE.values().stream()
        .flatMap(Collection::stream)
        .anyMatch(command::startsWith);
  }
}
