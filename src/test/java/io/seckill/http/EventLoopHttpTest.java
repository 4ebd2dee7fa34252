package io.seckill.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.answer.Refusal;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.camel.AsyncCallback;
import org.apache.camel.AsyncProcessor;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.support.AsyncProcessorSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventLoopHttpTest {
  private static final Set<String> THREADS = ConcurrentHashMap.newKeySet();
  private static final CountDownLatch HELD = new CountDownLatch(1);
  private static final AtomicInteger COMPLETED = new AtomicInteger();

  private static HttpFixture fixture;

  @BeforeAll
  static void start() throws Exception {
    fixture = new HttpFixture(Map.of(), EventLoopHttpTest::configure);
  }

  private static void configure(RouteBuilder routes) {
    loop(routes, "param", "/items/{id}", "GET")
        .process(e -> e.getMessage().setBody("item " + request(e).pathParameter("id")));
    loop(routes, "literal", "/items/result", "GET").setBody(routes.constant("result"));
    loop(routes, "echo", "/echo", "POST")
        .process(e -> THREADS.add(Thread.currentThread().getName()))
        .process(e -> e.getMessage().setBody(request(e).body().getBytes()));
    loop(routes, "other-thread", "/other-thread", "GET").process(onOtherThread());
    loop(routes, "throws", "/throws", "GET")
        .process(
            e -> {
              throw new IllegalStateException("secret cause");
            });
    loop(routes, "throws-later", "/throws-later", "GET")
        .process(onOtherThread())
        .process(
            e -> {
              throw new IllegalStateException("secret cause");
            });
    loop(routes, "rejected", "/rejected", "GET")
        .process(
            e -> {
              throw new RejectedExecutionException("full");
            });
    loop(routes, "refused", "/refused", "GET")
        .process(
            e -> {
              throw Refusal.of(409, "NO_LUCK", "Not \"now\".").with("left", 3).retryAfter(7);
            });
    loop(routes, "headers", "/headers", "GET")
        .setHeader("X-Shop", routes.constant("open"))
        .setHeader("CamelSecret", routes.constant("inside"))
        .setHeader(Exchange.HTTP_RESPONSE_CODE, routes.constant(201))
        .setBody(routes.constant("x"));
    loop(routes, "incoming", "/incoming", "GET")
        .process(e -> e.getMessage().setBody("" + e.getMessage().getHeaders().size()));
    loop(routes, "held", "/held", "GET")
        .process(
            (AsyncProcessor)
                new AsyncProcessorSupport() {
                  @Override
                  public boolean process(Exchange exchange, AsyncCallback callback) {
                    CompletableFuture.runAsync(
                        () -> {
                          join(HELD);
                          callback.done(false);
                        });
                    return false;
                  }
                })
        .process(e -> e.getMessage().setBody("" + COMPLETED.incrementAndGet()));
    loop(routes, "suspended", "/suspended", "GET").setBody(routes.constant("on"));
    routes
        .from("platform-http:/blocking-get?httpMethodRestrict=GET")
        .routeId("blocking-get")
        .setBody(routes.constant("x"));
    routes
        .from("platform-http:/blocking/{id}?httpMethodRestrict=POST")
        .routeId("blocking")
        .process(e -> Thread.sleep(50))
        .setBody(routes.simple("blocking ${header.id}"));
  }

  private static RouteDefinition loop(RouteBuilder routes, String id, String path, String method) {
    return routes
        .from(
            "platform-http:"
                + path
                + "?httpMethodRestrict="
                + method
                + "&platformHttpEngine=#eventLoop")
        .routeId(id)
        .streamCache("false");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  private static Request request(Exchange exchange) {
    return exchange.getMessage().getBody(Request.class);
  }

  private static AsyncProcessor onOtherThread() {
    return new AsyncProcessorSupport() {
      @Override
      public boolean process(Exchange exchange, AsyncCallback callback) {
        CompletableFuture.runAsync(
            () -> {
              exchange.getMessage().setBody("later");
              callback.done(false);
            });
        return false;
      }
    };
  }

  private static void join(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Reply get(String path) {
    Shop shop = fixture.shop();
    return shop.send(shop.request(path).GET().build());
  }

  private static Reply post(String path, HttpRequest.BodyPublisher body) {
    Shop shop = fixture.shop();
    return shop.send(shop.request(path).POST(body).build());
  }

  @Test
  void shouldServeNobodyWhileRoutesAreMissing() throws Exception {
    fixture.context().suspend();
    try {
      // not as the id of another path either
      for (String path : new String[] {"/items/result", "/items/7", "/blocking/7", "/nowhere"}) {
        Reply reply = fixture.shop().get(path, 1);
        assertThat(reply.status()).as(path).isEqualTo(503);
        assertThat(reply.member("code")).as(path).isEqualTo("UNAVAILABLE");
      }
    } finally {
      fixture.context().resume();
    }
    assertThat(fixture.shop().get("/items/result", 1).status()).isEqualTo(200);
  }

  @Test
  void shouldRunOnEveryEventLoop() {
    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              String answer =
                  raw("POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
              assertThat(answer).startsWith("HTTP/1.1 20");
              assertThat(THREADS).hasSize(2);
            });
    assertThat(THREADS).allMatch(name -> name.startsWith("vert.x-eventloop-thread"));
  }

  @Test
  void shouldPreferTheLiteralPathWhicheverStartedFirst() throws Exception {
    assertThat(get("/items/7").text()).isEqualTo("item 7");
    assertThat(get("/items/result").text()).isEqualTo("result");
    fixture.context().getRouteController().stopRoute("literal");
    assertThat(get("/items/result").text()).isEqualTo("item result");
    fixture.context().getRouteController().startRoute("literal");
    assertThat(get("/items/result").text()).isEqualTo("result");
  }

  @Test
  void shouldAnswerFromOtherThreads() {
    assertThat(get("/other-thread").text()).isEqualTo("later");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/throws", "/throws-later"})
  void shouldAnswerFailuresWithoutTheirCause(String path) {
    Reply reply = get(path);
    assertThat(reply.status()).isEqualTo(500);
    assertProblem(reply, "INTERNAL_ERROR");
    assertThat(reply.text()).doesNotContain("secret").doesNotContain("Exception");
  }

  @Test
  void shouldAnswerRefusals() {
    Reply reply = get("/refused");
    assertThat(reply.status()).isEqualTo(409);
    assertProblem(reply, "NO_LUCK");
    assertThat(reply.member("detail")).isEqualTo("Not \"now\".");
    assertThat(reply.json().path("left").isInt()).isTrue();
    assertThat(reply.header("Retry-After")).contains("7");
  }

  @Test
  void shouldAnswerRejectedWorkAsDegraded() {
    Reply reply = get("/rejected");
    assertThat(reply.status()).isEqualTo(503);
    assertProblem(reply, "DEGRADED");
  }

  @Test
  void shouldFilterResponseHeaders() {
    Reply reply = get("/headers");
    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.header("X-Shop")).contains("open");
    assertThat(reply.headers().map().keySet()).noneMatch(name -> name.startsWith("camel"));
  }

  @Test
  void shouldMakeNoMessageHeaderOfWhatAClientSends() {
    Shop shop = fixture.shop();
    Reply reply =
        shop.send(
            shop.request("/incoming?CamelSqlQuery=x&kafka.OVERRIDE_TOPIC=y")
                .header("CamelHttpResponseCode", "999")
                .header("kafka.OVERRIDE_TOPIC", "z")
                .GET()
                .build());
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text()).isEqualTo("0");
    assertThat(reply.headers().map().keySet()).noneMatch(name -> name.contains("OVERRIDE"));
  }

  @Test
  void shouldReadBodiesUpToTheLimit() {
    byte[] body = "x".repeat(4096).getBytes(StandardCharsets.US_ASCII);
    assertThat(post("/echo", BodyPublishers.ofByteArray(body)).text()).hasSize(4096);
    Reply chunked =
        post("/echo", BodyPublishers.ofByteArrays(List.of("ab".getBytes(), "cd".getBytes())));
    assertThat(chunked.text()).isEqualTo("abcd");
    assertThat(post("/echo", BodyPublishers.noBody()).status()).isLessThan(300);
  }

  @Test
  void shouldRefuseLongerBodies() {
    byte[] body = new byte[4097];
    assertTooLarge(post("/echo", BodyPublishers.ofByteArray(body)));
    assertTooLarge(post("/echo", BodyPublishers.ofByteArrays(List.of(body, body))));
    assertTooLarge(post("/blocking/1", BodyPublishers.ofByteArray(body)));
  }

  @Test
  void shouldAnswerAClientThatGoesOnSending() {
    byte[] body = new byte[20_000_000];
    assertTooLarge(post("/echo", BodyPublishers.ofByteArray(body)));
    assertTooLarge(post("/echo", BodyPublishers.ofByteArrays(List.of(body))));
  }

  private static void assertTooLarge(Reply reply) {
    assertThat(reply.status()).isEqualTo(413);
    assertProblem(reply, "BODY_TOO_LARGE");
  }

  @Test
  void shouldAnswerExpectContinue() throws Exception {
    assertThat(
            raw(
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n"
                    + "Connection: close\r\n\r\nok"))
        .startsWith("HTTP/1.1 100 Continue")
        .endsWith("ok");
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/nothing,404,NOT_FOUND",
    "GET,/q/send,404,NOT_FOUND",
    "POST,/q/upload,404,NOT_FOUND",
    "GET,/q/dev,404,NOT_FOUND",
    "GET,/items/7/more,404,NOT_FOUND",
    "GET,/items/,400,INVALID_REQUEST",
    "GET,/items/%zz,400,INVALID_REQUEST",
    "DELETE,/items/7,405,METHOD_NOT_ALLOWED",
    "HEAD,/echo,405,",
    "HEAD,/blocking/1,405,",
    "HEAD,/nowhere,404,",
    "GET,/blocking/1,405,METHOD_NOT_ALLOWED",
    "POST,/items/result,405,METHOD_NOT_ALLOWED"
  })
  void shouldAnswerItselfWithProblems(String method, String path, int status, String code)
      throws Exception {
    String answer =
        raw(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
    if (code != null) {
      assertThat(answer)
          .containsIgnoringCase("content-type: application/problem+json")
          .contains("\"code\":\"" + code + "\"");
    }
    if (status == 405) {
      assertThat(answer).containsIgnoringCase("\r\nallow: ");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "GET /items/7 HTTP/1.1;400;INVALID_REQUEST",
        "GET;400;INVALID_REQUEST",
        "GET /items/7 HTTP/9.9;505;VERSION_NOT_SUPPORTED",
        "nonsense nonsense nonsense nonsense;400;INVALID_REQUEST"
      })
  void shouldAnswerBadRequestLines(String line, String status, String code) throws Exception {
    String answer = raw(line + "\r\nConnection: close\r\n\r\n");
    assertThat(answer)
        .matches("(?s)HTTP/1\\.[01] " + status + " .*")
        .contains("application/problem+json")
        .contains("\"code\":\"" + code + "\"");
  }

  @Test
  void shouldRefuseOverlongLinesAndHeaders() throws Exception {
    String longLine = "GET /items/" + "7".repeat(9000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assertThat(raw(longLine)).contains(" 414 ").contains("\"code\":\"URI_TOO_LONG\"");
    String longHeader =
        "GET /items/7 HTTP/1.1\r\nHost: localhost\r\nX-Long: " + "y".repeat(20000) + "\r\n\r\n";
    assertThat(raw(longHeader)).contains(" 431 ").contains("\"code\":\"HEADERS_TOO_LARGE\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/headers", "/blocking-get"})
  void shouldAnswerHeadAsGetWithoutABody(String path) throws Exception {
    String head = raw("HEAD " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    String get = raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertThat(head.lines().findFirst()).isEqualTo(get.lines().findFirst());
    assertThat(head).startsWith("HTTP/1.1 20");
    assertThat(bodyOf(head)).isEmpty();
    assertThat(bodyOf(get)).contains("x");
  }

  @Test
  void shouldTakeLongerHeadersWhereThePropertyAllowsThem() throws Exception {
    String request =
        "GET /items/7 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Long: "
            + "y".repeat(20_000)
            + "\r\n\r\n";
    try (HttpFixture generous =
        new HttpFixture(
            Map.of("seckill.http.max-header-size", "32768"), EventLoopHttpTest::configure)) {
      assertThat(RawHttp.exchange(generous.port(), request)).startsWith("HTTP/1.1 200 ");
    }
  }

  private static String bodyOf(String answer) {
    return answer.substring(answer.indexOf("\r\n\r\n") + 4);
  }

  @Test
  void shouldServeBlockingRoutesOnTheSamePort() {
    assertThat(post("/blocking/5", BodyPublishers.noBody()).text()).isEqualTo("blocking 5");
  }

  @Test
  void shouldRefuseWhileSuspended() throws Exception {
    fixture.context().getRouteController().suspendRoute("suspended");
    Reply reply = get("/suspended");
    assertThat(reply.status()).isEqualTo(503);
    assertProblem(reply, "UNAVAILABLE");
    assertThat(reply.header("Retry-After")).isPresent();
    fixture.context().getRouteController().resumeRoute("suspended");
    assertThat(get("/suspended").text()).isEqualTo("on");
  }

  @Test
  void shouldFinishTheExchangeOfAClientThatLeft() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", fixture.port())) {
      socket
          .getOutputStream()
          .write(
              "GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> fixture.context().getInflightRepository().size("held") == 1);
    }
    HELD.countDown();
    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              assertThat(COMPLETED).hasValue(1);
              assertThat(fixture.context().getInflightRepository().size()).isZero();
            });
  }

  @Test
  void shouldAnswerManyAtOnceWithoutBlockingALoop() {
    Shop shop = fixture.shop();
    List<CompletableFuture<Reply>> replies =
        IntStream.rangeClosed(1, 500)
            .mapToObj(i -> shop.sendAsync(shop.request("/items/" + i).GET().build()))
            .toList();
    for (int i = 0; i < replies.size(); i++) {
      assertThat(replies.get(i).join().text()).isEqualTo("item " + (i + 1));
    }
    assertThat(fixture.blocked()).isEmpty();
  }

  private static void assertProblem(Reply reply, String code) {
    assertThat(reply.header("Content-Type")).contains("application/problem+json");
    assertThat(reply.code()).isEqualTo(code);
    assertThat(reply.json().path("status").asInt()).isEqualTo(reply.status());
    assertThat(reply.member("title")).isNotBlank();
  }

  private static String raw(String text) throws Exception {
    return RawHttp.exchange(fixture.port(), text);
  }
}
