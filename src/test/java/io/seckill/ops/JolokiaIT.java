package io.seckill.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.seckill.StartRefusedException;
import io.seckill.http.RawHttp;
import io.seckill.testing.TestApplication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JolokiaIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final TestApplication application = TestApplication.shared();

  @Test
  void shouldShowWhatCamelsTabInHawtioShows() throws Exception {
    JsonNode context = post("{\"type\":\"search\",\"mbean\":\"org.apache.camel:type=context,*\"}");
    String mbean = ownContext(context);

    JsonNode read =
        post(
            "{\"type\":\"read\",\"mbean\":" + quoted(mbean) + ",\"attribute\":\"ExchangesTotal\"}");
    JsonNode routes = exec(mbean, "dumpRoutesAsXml()");
    JsonNode stats = exec(mbean, "dumpRoutesStatsAsXml(boolean,boolean)", "true", "true");

    assertThat(read.path("status").asInt()).as(read.toString()).isEqualTo(200);
    assertThat(routes.path("status").asInt()).as(routes.toString()).isEqualTo(200);
    assertThat(routes.path("value").asText()).contains("sale-admin-put");
    assertThat(stats.path("status").asInt()).as(stats.toString()).isEqualTo(200);
    assertThat(stats.path("value").asText()).contains("order-api");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CONTEXT | dumpRoutesStatsAsXml | [true,true]",
        "CONTEXT | dumpRoutesStatsAsXml(boolean,boolean) | [true,true]",
        "CONTEXT | dumpRoutesAsXml() | []",
        "ROUTE | isUpdateRouteEnabled() | []",
        "CONTEXT | componentNames() | []",
        "java.lang:type=Threading | dumpAllThreads(boolean, boolean) | [true,true]",
        "java.lang:type=Threading | dumpAllThreads(boolean,boolean) | [true,true]"
      })
  void shouldAnswerWhatHawtioAsks(String mbean, String operation, String arguments)
      throws Exception {
    JsonNode answer =
        post(
            "{\"type\":\"exec\",\"mbean\":%s,\"operation\":\"%s\",\"arguments\":%s}"
                .formatted(quoted(named(mbean)), operation, arguments));

    assertThat(answer.path("status").asInt()).as(answer.toString()).isEqualTo(200);
    assertThat(answer.path("value").isMissingNode()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "com.sun.management:type=DiagnosticCommand | vmSystemProperties | ",
        "com.sun.management:type=DiagnosticCommand | help([Ljava.lang.String;) | x",
        "com.sun.management:type=HotSpotDiagnostic | dumpHeap(java.lang.String,boolean) | /tmp/h,true",
        "com.sun.management:type=HotSpotDiagnostic | setVMOption | a,b",
        "java.lang:type=Memory | gc | ",
        "java.util.logging:type=Logging | setLoggerLevel | a,b",
        "CONTEXT | stop | ",
        "CONTEXT | stop() | ",
        "CONTEXT | suspend | ",
        "CONTEXT | sendBody(java.lang.String,java.lang.Object) | direct:audit,x",
        "CONTEXT | requestBody(java.lang.String,java.lang.Object) | direct:audit,x",
        "CONTEXT | dumpRoutesAsXml(boolean) | true",
        "ROUTE | stop | ",
        "ROUTE | stop() | ",
        "ROUTE | suspend() | ",
        "ROUTE | remove() | ",
        "ROUTE | updateRouteFromXml(java.lang.String) | <route/>"
      })
  void shouldNotOperateAnything(String mbean, String operation, String arguments) throws Exception {
    JsonNode answer =
        exec(named(mbean), operation, arguments == null ? new String[0] : arguments.split(","));

    assertThat(answer.path("status").asInt()).as(answer.toString()).isEqualTo(403);
  }

  @Test
  void shouldNotSetAttributes() throws Exception {
    JsonNode answer =
        post(
            "{\"type\":\"write\",\"mbean\":\"java.lang:type=Memory\",\"attribute\":\"Verbose\","
                + "\"value\":true}");

    assertThat(answer.path("status").asInt()).as(answer.toString()).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource({"SystemProperties", "InputArguments"})
  void shouldNotShowWhereSecretsMayStand(String attribute) throws Exception {
    JsonNode answer =
        post(
            "{\"type\":\"read\",\"mbean\":\"java.lang:type=Runtime\",\"attribute\":\""
                + attribute
                + "\"}");
    JsonNode all = post("{\"type\":\"read\",\"mbean\":\"java.lang:type=Runtime\"}");
    JsonNode byPattern =
        post(
            "{\"type\":\"read\",\"mbean\":\"java.lang:type=Runt*\",\"attribute\":\""
                + attribute
                + "\"}");
    HttpResponse<String> byPath =
        get("/observe/jolokia/read/java.lang:type=Runtime/" + attribute, Map.of());

    assertThat(answer.path("status").asInt()).as(answer.toString()).isEqualTo(403);
    for (String text : new String[] {all.toString(), byPattern.toString(), byPath.body()}) {
      assertThat(text).doesNotContain("java.class.path").doesNotContain("-Dsurefire");
    }
  }

  @Test
  void shouldRefusePagesOfOtherOrigins() throws Exception {
    for (String header : new String[] {"Origin", "Referer"}) {
      for (String foreign :
          new String[] {
            "http://evil.example",
            "http://localhost.evil.example",
            "http://localhost:80.evil.example",
            "http://localhost:80@evil.example",
            "https://localhost:8090",
            "null"
          }) {
        HttpResponse<String> answer = get("/observe/jolokia/version", Map.of(header, foreign));
        assertThat(answer.statusCode()).as(foreign).isEqualTo(403);
        assertThat(answer.body()).contains("\"code\":\"UNKNOWN_ORIGIN\"");
        assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
      }
      for (String local : new String[] {"http://localhost", "http://127.0.0.1:8090"}) {
        HttpResponse<String> answer = get("/observe/jolokia/version", Map.of(header, local));
        assertThat(answer.statusCode()).as(local).isEqualTo(200);
        assertThat(answer.body()).contains("\"agent\"");
      }
    }
  }

  @Test
  void shouldTellBrowsersWhichPagesMayCall() throws Exception {
    String hawtio = "https://hawtio.example";
    String token = "a-token-to-look";
    try (TestApplication open =
        TestApplication.start(
            Map.of(
                "seckill.management.host",
                "0.0.0.0",
                "seckill.management.token",
                token,
                "seckill.hawtio.origins",
                "http://a.example:8090, " + hawtio))) {
      String jolokia = open.managementUrl() + "/observe/jolokia/";
      HttpResponse<String> preflight = preflight(jolokia, hawtio);
      HttpResponse<String> foreign = preflight(jolokia, "http://a.example:8091");
      HttpResponse<String> local = preflight(jolokia, "http://localhost:8090");
      HttpResponse<String> stranger = version(jolokia, hawtio, "wrong");
      HttpResponse<String> known = version(jolokia, hawtio, token);

      assertThat(preflight.statusCode()).isEqualTo(204);
      assertThat(preflight.headers().map())
          .containsEntry("access-control-allow-origin", List.of(hawtio))
          .containsEntry("access-control-allow-credentials", List.of("true"))
          .containsEntry("access-control-allow-methods", List.of("GET, POST"))
          .containsEntry("access-control-allow-headers", List.of("authorization,content-type"));
      assertThat(foreign.statusCode()).isEqualTo(403);
      assertThat(local.statusCode()).isEqualTo(403);
      assertThat(stranger.statusCode()).isEqualTo(401);
      assertThat(known.statusCode()).isEqualTo(200);
      for (HttpResponse<String> answer : List.of(stranger, known)) {
        assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).contains(hawtio);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "hawtio.example", "http://hawtio.example/hawtio", "http://*:80"})
  void shouldNotStartWithWhatIsNoOrigin(String origins) {
    assertThatThrownBy(
            () -> TestApplication.start(Map.of("seckill.hawtio.origins", origins)).close())
        .satisfies(
            failure ->
                assertThat(StartRefusedException.in(failure).orElseThrow())
                    .hasMessageContaining("seckill.hawtio.origins"));
  }

  @Test
  void shouldAnswerOnLoopbackToItsNamesThereAlone() throws Exception {
    int port = URI.create(application.managementUrl()).getPort();
    for (String path :
        new String[] {"/observe/jolokia/version", "/observe/health/live", "/observe/metrics"}) {
      for (String host : new String[] {"localhost:" + port, "127.0.0.1", "[::1]:9876"}) {
        assertThat(raw(port, path, host)).as(host + path).startsWith("HTTP/1.1 200 ");
      }
      assertThat(raw(port, path, "evil.example:" + port))
          .as(path)
          .startsWith("HTTP/1.1 421 ")
          .contains("\"code\":\"UNKNOWN_HOST\"")
          .doesNotContain("agent", "jvm");
    }
  }

  private static String raw(int port, String path, String host) throws Exception {
    return RawHttp.exchange(
        port, "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"seckill.management.host", "camel.management.host"})
  void shouldNotListenWhereOthersCanReachItWithoutATokenOfItsOwn(String property) {
    for (String token : new String[] {" ", application.adminToken()}) {
      assertThatThrownBy(
              () ->
                  TestApplication.start(
                          Map.of(property, "0.0.0.0", "seckill.management.token", token))
                      .close())
          .satisfies(
              failure ->
                  assertThat(StartRefusedException.in(failure).orElseThrow())
                      .hasMessageContaining("seckill.management.token"));
    }
  }

  @Test
  void shouldAskForTheTokenWhereOthersCanReachIt() throws Exception {
    String token = "a-token-to-look";
    try (TestApplication open =
        TestApplication.start(
            Map.of("seckill.management.host", "0.0.0.0", "seckill.management.token", token))) {
      String jolokia = open.managementUrl() + "/observe/jolokia";
      for (String path :
          new String[] {
            "/version", "", "/", "//version", "/%2e/version", "/read/java.lang:type=Memory"
          }) {
        assertThat(status(jolokia + path, null)).as(path).isNotEqualTo(200);
        assertThat(status(jolokia + path, basic("admin", "wrong"))).as(path).isNotEqualTo(200);
        assertThat(status(jolokia + path, basic("root", token))).as(path).isNotEqualTo(200);
        assertThat(status(jolokia + path, basic("admin", open.adminToken())))
            .as(path)
            .isNotEqualTo(200);
      }
      assertThat(status(jolokia + "/version", null)).isEqualTo(401);
      assertThat(status(jolokia + "/version", basic("admin", token))).isEqualTo(200);
      assertThat(status(open.managementUrl() + "/observe/health/live", null)).isEqualTo(200);
      assertThat(status(open.managementUrl() + "/observe/metrics", null)).isEqualTo(200);
    }
  }

  // ---- helpers ----

  private String named(String mbean) throws Exception {
    return switch (mbean) {
      case "CONTEXT" ->
          ownContext(post("{\"type\":\"search\",\"mbean\":\"org.apache.camel:type=context,*\"}"));
      case "ROUTE" ->
          post("{\"type\":\"search\",\"mbean\":\"org.apache.camel:type=routes,name=\\\"order-api\\\",*\"}")
              .path("value")
              .get(0)
              .asText();
      default -> mbean;
    };
  }

  /** Other applications of this JVM have contexts of their own. */
  private String ownContext(JsonNode found) {
    String name = application.camelContext().getManagementName();
    for (JsonNode mbean : found.path("value")) {
      if (mbean.asText().contains("\"" + application.camelContext().getName() + "\"")
          && mbean.asText().contains(name)) {
        return mbean.asText();
      }
    }
    throw new AssertionError("No context " + name + " in " + found);
  }

  private JsonNode exec(String mbean, String operation, String... arguments) throws Exception {
    return post(
        "{\"type\":\"exec\",\"mbean\":"
            + quoted(mbean)
            + ",\"operation\":"
            + quoted(operation)
            + ",\"arguments\":"
            + JSON.writeValueAsString(arguments)
            + "}");
  }

  private static String quoted(String text) throws Exception {
    return JSON.writeValueAsString(text);
  }

  private JsonNode post(String body) throws Exception {
    HttpResponse<String> response =
        CLIENT.send(
            HttpRequest.newBuilder(URI.create(application.managementUrl() + "/observe/jolokia/"))
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    return JSON.readTree(response.body());
  }

  private HttpResponse<String> get(String path, Map<String, String> headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(application.managementUrl() + path));
    headers.forEach(request::header);
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpResponse<String> preflight(String url, String origin) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(url))
            .method("OPTIONS", BodyPublishers.noBody())
            .header("Origin", origin)
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "authorization,content-type")
            .build(),
        BodyHandlers.ofString());
  }

  private static HttpResponse<String> version(String jolokia, String origin, String token)
      throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(jolokia + "version"))
            .header("Origin", origin)
            .header("Authorization", basic("admin", token))
            .build(),
        BodyHandlers.ofString());
  }

  private static String basic(String user, String password) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  private static int status(String url, String authorization) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return CLIENT.send(request.build(), BodyHandlers.discarding()).statusCode();
  }
}
