package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Checkout;
import io.seckill.testing.Shop;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/EXTENDING.md as it stands there, in a copy of the checkout. */
class OwnRefusalIT {
  /** Above which line of which file the document puts which text. */
  private static final Pattern CHANGE =
      Pattern.compile(
          "In `(?:[a-z/]*/)?([a-z.-]+)`, above\\s+`([^`]+)`:\\n\\n```[a-z]+\\n(.*?)```",
          Pattern.DOTALL);

  private static final long PRODUCT = 1001;

  @TempDir private Path directory;

  @Test
  void shouldRefuseByANameOfItsOwn() throws Exception {
    Checkout checkout = Checkout.in(directory);
    String document = Files.readString(Path.of("docs", "EXTENDING.md"));
    List<MatchResult> changes =
        CHANGE
            .matcher(document.substring(document.indexOf("## A refusal of your own")))
            .results()
            .toList();
    assertThat(changes).hasSize(2);
    for (MatchResult change : changes) {
      insert(checkout, change.group(1), change.group(2), change.group(3));
    }
    insert(
        checkout,
        "reserve.lua",
        "if available < quantity then",
        "if key == 'no-step' then return {'UNFORESEEN'} end\n"
            + "if key == 'no-code' then return {77} end\n");

    try (ApplicationProcess application =
        ApplicationProcess.camelRun(checkout)
            .environment("SECKILL_EMBEDDED_REDIS_PORT", "0")
            .environment("SECKILL_EMBEDDED_KAFKA_PORT", "0")
            .environment("SECKILL_EMBEDDED_MYSQL_PORT", "0")
            .start()
            .awaitReady()) {
      Shop shop = application.shop();
      assertThat(
              shop.createSale(PRODUCT, Map.of("name", "Phone", "stock", 4, "maxQuantity", 2))
                  .status())
          .isEqualTo(201);

      Shop.Reply refused = shop.buy(PRODUCT, 7, "two", 2);
      assertThat(refused.status()).as(refused.text()).isEqualTo(409);
      assertThat(refused.header("Content-Type")).contains("application/problem+json");
      assertThat(refused.code()).isEqualTo("FAIL_SINGLY");
      assertThat(refused.member("detail"))
          .isEqualTo("Only 4 units are left: they are sold singly.");
      assertThat(refused.member("idemKey")).isEqualTo("two");
      assertThat(refused.member("productId")).isEqualTo("" + PRODUCT);
      assertThat(shop.buy(PRODUCT, 7, "one", 1).status()).isEqualTo(202);

      Shop.Reply noStep = shop.buy(PRODUCT, 8, "no-step", 1);
      assertThat(noStep.status()).as(noStep.text()).isEqualTo(500);
      assertThat(noStep.code()).isEqualTo("INTERNAL_ERROR");
      assertThat(application.output()).contains("answers UNFORESEEN");
      Shop.Reply noCode = shop.buy(PRODUCT, 9, "no-code", 1);
      assertThat(noCode.status()).as(noCode.text()).isEqualTo(500);
      assertThat(application.output()).contains("lua/reserve.lua answered with code 77");
      assertThat(metrics(application))
          .contains("seckill_refused_total{reason=\"FAIL_SINGLY\"} 1.0")
          .contains("seckill_refused_total{reason=\"INTERNAL_ERROR\"} 2.0");
    }
  }

  private static void insert(Checkout checkout, String name, String above, String text)
      throws IOException {
    Path file;
    try (Stream<Path> all = Files.walk(checkout.directory())) {
      file =
          all.filter(path -> path.getFileName().toString().equals(name)).findFirst().orElseThrow();
    }
    List<String> lines = Files.readAllLines(file);
    int line = 0;
    while (!lines.get(line).strip().startsWith(above)) {
      line++;
    }
    lines.add(line, text.stripTrailing());
    Files.write(file, lines);
  }

  private static String metrics(ApplicationProcess application) throws Exception {
    URI uri = URI.create(application.managementUrl() + "/observe/metrics");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .body();
  }
}
