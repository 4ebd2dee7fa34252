package io.seckill.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.seckill.book.BookKeys;
import io.seckill.embedded.EmbeddedServer;
import io.seckill.testing.Products;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HealthIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final TestServers servers = TestServers.get();
  private final TestApplication application = TestApplication.shared();

  private record Answer(int status, JsonNode json) {
    String state(String check) {
      for (JsonNode each : json.path("checks")) {
        if (each.path("name").asText().equals(check)) {
          return each.path("status").asText();
        }
      }
      return "NONE in " + json;
    }
  }

  @Test
  void shouldBeUpWithAllServers() throws Exception {
    awaitUp();

    assertThat(ask("/live").status()).isEqualTo(200);
    assertThat(head("/live").statusCode()).isEqualTo(200);
    assertThat(head("/live").body()).isEmpty();
    Answer ready = ask("/ready");
    assertThat(ready.status()).as(ready.json().toString()).isEqualTo(200);
    for (String check : new String[] {"redis", "mysql", "kafka", "outbox", "admission"}) {
      assertThat(ask("").state(check)).as(check).isEqualTo("UP");
    }
  }

  @Test
  void shouldNotBeReadyWithoutRedis() throws Exception {
    shouldTellThatItIsAway("redis", servers.redis(), 503);
  }

  @Test
  void shouldTakeOrdersWithoutKafkaAndTellThatItIsAway() throws Exception {
    shouldTellThatItIsAway("kafka", servers.kafka(), 200);
  }

  @Test
  void shouldTakeOrdersWithoutMySqlAndTellThatItIsAway() throws Exception {
    shouldTellThatItIsAway("mysql", servers.mysql(), 200);
  }

  private void shouldTellThatItIsAway(String check, EmbeddedServer server, int ready)
      throws Exception {
    awaitUp();
    long product = Products.next();
    assertThat(application.shop().createSale(product, 5).status()).isEqualTo(201);
    server.stop();
    try {
      await()
          .atMost(60, TimeUnit.SECONDS)
          .untilAsserted(
              () -> {
                Answer all = ask("");
                assertThat(all.status()).as(all.json().toString()).isEqualTo(503);
                assertThat(all.state(check)).isEqualTo("DOWN");
              });
      await()
          .atMost(60, TimeUnit.SECONDS)
          .untilAsserted(
              () -> {
                Answer readiness = ask("/ready");
                assertThat(readiness.status()).as(readiness.json().toString()).isEqualTo(ready);
              });
      assertThat(ask("/live").status()).as("liveness").isEqualTo(200);
      Reply bought = application.shop().buy(product, 1, "k");
      assertThat(bought.status()).as(bought.text()).isEqualTo(ready == 200 ? 202 : 503);
      if (!check.equals("kafka")) {
        Reply ledger = application.shop().admin("GET", "/admin/sales/" + product + "/ledger", null);
        assertThat(ledger.status()).as(ledger.text()).isEqualTo(503);
        assertThat(ledger.code()).isEqualTo("DEGRADED");
        assertThat(ledger.header("Retry-After")).isPresent();
        assertThat(application.shop().createSale(Products.next(), 1).code()).isEqualTo("DEGRADED");
      }
    } finally {
      server.start();
    }
    awaitUp();
    if (ready == 200) {
      JsonNode rest = application.shop().awaitRest(product);
      assertThat(rest.path("sold").asLong()).as(rest.toString()).isEqualTo(1);
    }
  }

  @Test
  void shouldTellWhichBooksAreLost() {
    awaitUp();
    long product = Products.next();
    application.shop().createSale(product, 5);
    servers.redisCommands().del(BookKeys.all(product));
    try {
      await()
          .atMost(60, TimeUnit.SECONDS)
          .untilAsserted(
              () -> {
                Answer all = ask("");
                assertThat(all.state("books")).isEqualTo("DOWN");
                assertThat(all.json().toString()).contains("" + product).contains("rebuild");
              });
    } finally {
      servers.update("DELETE FROM products WHERE id = ?", product);
    }
    awaitUp();
  }

  private void awaitUp() {
    await()
        .atMost(90, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              Answer all = ask("");
              for (String check : new String[] {"redis", "mysql", "kafka"}) {
                assertThat(all.state(check)).as(all.json().toString()).isEqualTo("UP");
              }
              assertThat(ask("/ready").status()).isEqualTo(200);
            });
  }

  private HttpResponse<String> head(String path) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(application.managementUrl() + "/observe/health" + path))
            .method("HEAD", BodyPublishers.noBody())
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(Duration.ofSeconds(10))
            .build(),
        BodyHandlers.ofString());
  }

  private Answer ask(String path) {
    try {
      HttpResponse<String> response =
          CLIENT.send(
              HttpRequest.newBuilder(
                      URI.create(application.managementUrl() + "/observe/health" + path))
                  .timeout(Duration.ofSeconds(10))
                  .build(),
              BodyHandlers.ofString());
      return new Answer(response.statusCode(), new ObjectMapper().readTree(response.body()));
    } catch (Exception e) {
      throw new AssertionError("No answer from health" + path, e);
    }
  }
}
