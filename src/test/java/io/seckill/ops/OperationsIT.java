package io.seckill.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.camel.ServiceStatus;
import org.apache.logging.log4j.LogManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operating and watching in detail, through Jolokia. */
class OperationsIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String LOOKING = "a-token-to-look";
  private static final String ROUTE = "sold-out-gate-probe";

  private static TestApplication application;

  @BeforeAll
  static void start() {
    application =
        TestApplication.apart(
                "operations",
                11,
                Map.of(
                    "seckill.hawtio.operate", "true",
                    "seckill.hawtio.details", "true",
                    "seckill.management.token", LOOKING))
            .awaitReady();
  }

  @AfterAll
  static void end() {
    application.close();
  }

  @Test
  void shouldOperateRoutesForTheAdminTokenAndWriteTheAudit() throws Exception {
    int before = audit().size();

    assertThat(status(exec(application.adminToken(), route(ROUTE), "stop()"))).isEqualTo(200);
    assertThat(statusOf(ROUTE)).isEqualTo(ServiceStatus.Stopped);
    assertThat(status(exec(application.adminToken(), route(ROUTE), "start()"))).isEqualTo(200);
    assertThat(statusOf(ROUTE)).isEqualTo(ServiceStatus.Started);

    assertThat(audit().subList(before, before + 2))
        .extracting(
            row -> row.path("operation").asText(),
            row -> row.path("mbean").asText().contains(ROUTE),
            row -> row.path("by").asText() + " " + row.path("from").asText())
        .containsExactly(
            tuple("stop()", true, "admin 127.0.0.1"), tuple("start()", true, "admin 127.0.0.1"));
  }

  @Test
  void shouldSetLogLevels() throws Exception {
    String logger = "io.seckill.ops.OperationsIT";
    String levels = mbean("type=services,name=LogLevels");

    assertThat(status(exec(application.adminToken(), levels, "setLevel", logger, "debug")))
        .isEqualTo(200);

    assertThat(LogManager.getLogger(logger).getLevel().name()).isEqualTo("DEBUG");
    List<JsonNode> rows = audit();
    assertThat(rows.get(rows.size() - 1).path("arguments").toString())
        .isEqualTo("[\"" + logger + "\",\"debug\"]");
  }

  @Test
  void shouldLetOthersOnlyLook() throws Exception {
    int before = audit().size();

    assertThat(status(exec(LOOKING, route(ROUTE), "stop()"))).isEqualTo(403);
    assertThat(status(exec(LOOKING, route(ROUTE), "dumpRouteAsXml()"))).isEqualTo(200);
    assertThat(post(null, "{\"type\":\"version\"}").statusCode()).isEqualTo(401);

    assertThat(statusOf(ROUTE)).isEqualTo(ServiceStatus.Started);
    assertThat(audit()).hasSize(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"remove()", "updateRouteFromXml(java.lang.String)", "reset(boolean)", "restart()"})
  void shouldRefuseAllElseAlsoToOperators(String operation) throws Exception {
    assertThat(status(exec(application.adminToken(), route(ROUTE), operation))).isEqualTo(403);
  }

  @Test
  void shouldRefuseManyAtOnceAndTheRouteOfTheAudit() throws Exception {
    int before = audit().size();

    for (String name : List.of("org.apache.camel:type=routes,*", route("operation-audit"))) {
      assertThat(status(exec(application.adminToken(), name, "stop()"))).as(name).isEqualTo(403);
    }

    assertThat(statusOf(ROUTE)).isEqualTo(ServiceStatus.Started);
    assertThat(audit()).hasSize(before);
  }

  @Test
  void shouldOperateEachTimeItIsAsked() throws Exception {
    String stop = request(route(ROUTE), "stop()");
    String start = request(route(ROUTE), "start()");
    String dump = request(route(ROUTE), "dumpRouteAsXml()");
    String bulk = "[" + dump + "," + stop + "," + start + "]";
    int before = audit().size();

    post(application.adminToken(), bulk);
    post(application.adminToken(), bulk);

    assertThat(audit()).hasSize(before + 4);
  }

  @Test
  void shouldCountWhatPassesEachNode() throws Exception {
    sell();
    String stats =
        exec(LOOKING, route("order-api"), "dumpRouteStatsAsXml(boolean,boolean)", true, true)
            .path("value")
            .asText();

    assertThat(stats)
        .containsPattern("processorStat id=\"reserve-unit\"[^>]*exchangesCompleted=\"[1-9]");
  }

  @Test
  void shouldTraceMessagesWithoutTheTokensOfCallers() throws Exception {
    String tracer = mbean("type=tracer,name=BacklogTracer");
    assertThat(status(exec(LOOKING, tracer, "setEnabled", true))).isEqualTo(200);
    try {
      sell();
      String traces = exec(LOOKING, tracer, "dumpAllTracedMessagesAsXml()").path("value").asText();

      assertThat(traces).contains("<toNode>reserve-unit</toNode>");
      assertThat(traces).doesNotContain(application.adminToken(), "Bearer");
    } finally {
      exec(LOOKING, tracer, "setEnabled", false);
    }
  }

  @Test
  void shouldAnswerWrongTokensOneAfterTheOther() throws Exception {
    AtomicInteger answered = new AtomicInteger();
    List<java.util.concurrent.CompletableFuture<Long>> times = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < 3; i++) {
      times.add(
          CLIENT
              .sendAsync(http("wrong", "{\"type\":\"version\"}"), BodyHandlers.discarding())
              .thenApply(
                  answer -> {
                    assertThat(answer.statusCode()).isEqualTo(401);
                    answered.incrementAndGet();
                    return System.nanoTime() - start;
                  }));
    }
    long last = 0;
    for (var time : times) {
      last = Math.max(last, time.join());
    }

    assertThat(answered).hasValue(3);
    assertThat(last)
        .as("nanoseconds, a second for each but the first")
        .isGreaterThan(1_900_000_000L);
    assertThat(post(application.adminToken(), "{\"type\":\"version\"}").statusCode())
        .isEqualTo(200);
  }

  private static void sell() {
    Shop shop = application.shop();
    long product = Products.next();
    shop.openSale(product, 1);
    assertThat(shop.buyOnceOpen(product, 1, "operations-" + product).status()).isEqualTo(202);
  }

  private static ServiceStatus statusOf(String route) {
    return application.camelContext().getRouteController().getRouteStatus(route);
  }

  private static String route(String id) throws Exception {
    return mbean("type=routes,name=\"" + id + "\"");
  }

  private static String mbean(String properties) {
    return "org.apache.camel:context="
        + application.camelContext().getManagementName()
        + ","
        + properties;
  }

  private static List<JsonNode> audit() throws Exception {
    List<JsonNode> rows = new ArrayList<>();
    try (Connection connection = application.bean(DataSource.class).getConnection();
        ResultSet found =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT JSON_SET(detail, '$.from', address, '$.by', operator) FROM admin_audit WHERE action = 'JMX' ORDER BY id")) {
      while (found.next()) {
        rows.add(JSON.readTree(found.getString(1)));
      }
    }
    return rows;
  }

  private static int status(JsonNode answer) {
    assertThat(answer.isObject()).as(answer.toString()).isTrue();
    return answer.path("status").asInt();
  }

  private static String request(String mbean, String operation, Object... arguments)
      throws Exception {
    return JSON.writeValueAsString(
        Map.of("type", "exec", "mbean", mbean, "operation", operation, "arguments", arguments));
  }

  private static JsonNode exec(String token, String mbean, String operation, Object... arguments)
      throws Exception {
    return JSON.readTree(post(token, request(mbean, operation, arguments)).body());
  }

  private static HttpResponse<String> post(String token, String body) throws Exception {
    return CLIENT.send(http(token, body), BodyHandlers.ofString());
  }

  private static HttpRequest http(String token, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(application.managementUrl() + "/observe/jolokia/"))
            .POST(BodyPublishers.ofString(body));
    if (token != null) {
      request.header(
          "Authorization",
          "Basic "
              + Base64.getEncoder()
                  .encodeToString(("admin:" + token).getBytes(StandardCharsets.UTF_8)));
    }
    return request.build();
  }
}
