package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Checkout;
import io.seckill.testing.Document;
import io.seckill.testing.Document.Step;
import io.seckill.testing.Shell;
import io.seckill.testing.Shop;
import io.seckill.testing.TestServers;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.util.FileSystemUtils;

/**
 * The README's command with the options that the documents show, in a copy of the checkout, and the
 * console session that follows it. Nothing is set that they do not say but ports of their own,
 * which stand for 8080 and 9876.
 */
class DocumentedSessionsIT {
  private static final String COMMAND = "mvn compile camel:run";
  private static final String ADDRESS = "localhost:8080";

  @TempDir private static Path directory;

  private static Checkout checkout;

  @BeforeAll
  static void checkOut() throws IOException {
    checkout = Checkout.in(directory.resolve("checkout"));
  }

  /** Each session begins with a new application. */
  @AfterEach
  void forget() throws IOException {
    Path data = checkout.directory().resolve("data");
    if (Files.exists(data)) {
      FileSystemUtils.deleteRecursively(data);
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "README.md, none, strategy A",
        "docs/EXTENDING.md, -Dcamel.main.profile=dev, strategy A",
        "docs/EXTENDING.md, -Dseckill.strategy=B, strategy B"
      })
  void shouldSellAsTheReadmeShows(String document, String option, String strategy)
      throws Exception {
    assertThat(Document.of("README.md").shows(COMMAND)).isTrue();
    assertThat(option == null || isShown(document, option)).isTrue();
    try (ApplicationProcess application =
        ApplicationProcess.camelRun(checkout, option == null ? new String[0] : words(option))
            .start()
            .awaitReady()) {
      assertThat(application.output()).contains("full, " + strategy);
      List<Step> session = Document.of("README.md").session();
      assertThat(session).hasSizeGreaterThan(5);
      List<String> silent = new ArrayList<>();
      for (Step step : session) {
        List<String> lines = new ArrayList<>(silent);
        lines.add(step.command());
        if (step.printed().isEmpty()) {
          silent.add(step.command());
        } else {
          assertPrints(application, lines, step.printed());
        }
      }
      for (String command : Document.of("docs/OPERATIONS.md").commands("curl")) {
        List<String> lines = new ArrayList<>(silent);
        lines.add(command);
        assertThat(run(application, lines)).as(command).doesNotContain("\"code\"");
      }
    }
  }

  private static boolean isShown(String document, String option) {
    Document page = Document.of(document);
    return page.shows(COMMAND + " " + option) || page.shows(option);
  }

  private static String[] words(String option) {
    return option.split(" ");
  }

  /** What only looks is looked at again, as an order takes a moment to end. */
  private static void assertPrints(
      ApplicationProcess application, List<String> lines, String expected) throws Exception {
    boolean looks = !lines.get(lines.size() - 1).contains(" -X ");
    if (looks) {
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(() -> assertThat(run(application, lines)).isEqualTo(expected));
    } else {
      assertThat(run(application, lines)).isEqualTo(expected);
    }
  }

  private static String run(ApplicationProcess application, List<String> lines) throws Exception {
    String address = URI.create(application.baseUrl()).getAuthority();
    return new Shell(checkout.directory())
        .run(lines.stream().map(line -> line.replace(ADDRESS, address)).toList())
        .printed();
  }

  @Test
  void shouldSellInMinimalMode() {
    String option = "-Dseckill.mode=minimal";
    assertThat(Document.of("docs/MINIMAL.md").shows(COMMAND + " " + option)).isTrue();
    try (ApplicationProcess application =
        ApplicationProcess.camelRun(checkout, option).start().awaitReady()) {
      assertThat(application.output()).contains("minimal, strategy B");
      assertSells(application.shop());
    }
  }

  @Test
  void shouldRunTheConsumersThatTheDocumentShows() throws Exception {
    String option = "-Dseckill.team.packages=com.example.warehouse -Dseckill.results=on";
    Document page = Document.of("docs/EXTENDING.md");
    assertThat(page.shows(COMMAND + " " + option)).isTrue();
    Checkout extended = Checkout.in(directory.resolve("extended"));
    for (Map.Entry<Path, String> file : page.files().entrySet()) {
      Path path = extended.directory().resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
    try (ApplicationProcess application =
        ApplicationProcess.camelRun(extended, option.split(" ")).start().awaitReady()) {
      assertSells(application.shop());
      awaitOutput(application, "reserved " + anyOutboxId(recordShownIn(page)));
      awaitOutput(application, "io.seckill.order.success 1001-7-CIRvQjpu3VZ6s7Wt");

      send(application, "no order");
      awaitOutput(application, "failed: not the JSON of an order");
    }
  }

  private static String recordShownIn(Document page) {
    return page.lines().stream()
        .map(String::strip)
        .filter(line -> line.startsWith("{\"v\":"))
        .findFirst()
        .orElseThrow();
  }

  private static void send(ApplicationProcess application, String value) throws Exception {
    try (var producer =
        new KafkaProducer<String, String>(
            TestServers.kafkaClient(application.embedded()),
            new StringSerializer(),
            new StringSerializer())) {
      producer.send(new ProducerRecord<>("seckill.orders", value)).get();
    }
  }

  private static void awaitOutput(ApplicationProcess application, String text) {
    await(text)
        .atMost(Duration.ofSeconds(60))
        .until(() -> anyOutboxId(application.output()).contains(text));
  }

  private static String anyOutboxId(String text) {
    return text.replaceAll("\"outboxId\":\"[0-9]+-[0-9]+\"", "\"outboxId\":…");
  }

  private static void assertSells(Shop shop) {
    assertThat(shop.createSale(1001, 2).status()).isEqualTo(201);
    Shop.Reply reply = shop.buy(1001, 7, "my-first-try");
    assertThat(reply.status()).as(reply.text()).isEqualTo(202);
    assertThat(shop.awaitEnd(7, reply.requestId())).isEqualTo("SUCCESS");
  }
}
