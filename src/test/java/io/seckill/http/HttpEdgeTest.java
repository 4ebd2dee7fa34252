package io.seckill.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.seckill.http.RawHttp.Answer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.micrometer.MicrometerConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server does with those who do not keep to HTTP, or to its limits. */
class HttpEdgeTest {
  private static final String HIDDEN = "GET /count HTTP/1.1\r\nHost: x\r\n\r\n";
  private static final String HEAD = "POST /count HTTP/1.1\r\nHost: x\r\n";
  private static final String CHUNKED = HEAD + "Transfer-Encoding: chunked\r\n\r\n";

  private static final AtomicInteger EXECUTED = new AtomicInteger();

  private static HttpFixture fixture;

  @BeforeAll
  static void start() throws Exception {
    fixture = fixture(Map.of());
  }

  private static HttpFixture fixture(Map<String, String> properties) throws Exception {
    Map<String, String> all = new HashMap<>(properties);
    all.put("seckill.http.allowed-hosts", "x, shop.example");
    return new HttpFixture(all, HttpEdgeTest::configure);
  }

  private static void configure(RouteBuilder routes) {
    routes
        .from("platform-http:/count?platformHttpEngine=#eventLoop")
        .routeId("count")
        .streamCache("false")
        .process(exchange -> EXECUTED.incrementAndGet())
        .setBody(routes.constant("counted"));
    routes
        .from("platform-http:/items/{id}?platformHttpEngine=#eventLoop")
        .routeId("items")
        .streamCache("false")
        .process(
            exchange ->
                exchange
                    .getMessage()
                    .setBody(exchange.getMessage().getBody(Request.class).pathParameter("id")));
    routes
        .from("platform-http:/blocking/{id}")
        .routeId("blocking")
        .process(exchange -> EXECUTED.incrementAndGet())
        .process(HttpEdgeTest::tellInputs);
  }

  private static void tellInputs(Exchange exchange) {
    Map<String, Object> headers = exchange.getMessage().getHeaders();
    String told =
        "id=%s authorization=%s key=%s query=%s"
            .formatted(
                headers.get("id"),
                headers.get("Authorization"),
                headers.get("Idempotency-Key"),
                exchange.getVariable("query"));
    headers.clear();
    exchange.getMessage().setBody(told);
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @BeforeEach
  void countAnew() {
    EXECUTED.set(0);
  }

  static Stream<Arguments> broken() {
    String line = "GET /count HTTP/1.1\r\n";
    String host = line + "Host: x\r\n";
    return Stream.of(
        // two lengths, or none that can be relied on
        broken(400, HEAD + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        broken(400, HEAD + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"),
        broken(400, HEAD + "Transfer-Encoding: gzip\r\n\r\n"),
        broken(501, HEAD + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        broken(400, HEAD + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
        broken(400, HEAD + "Transfer-Encoding: xchunked\r\n\r\n"),
        broken(
            400,
            HEAD + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        broken(400, HEAD + "Transfer-Encoding: \u000Bchunked\r\n\r\n0\r\n\r\n"),
        broken(400, "POST /count HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        broken(400, HEAD + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n"),
        broken(400, HEAD + "Content-Length: 5, 5\r\n\r\n"),
        broken(400, HEAD + "Content-Length: +5\r\n\r\n"),
        broken(400, HEAD + "Content-Length: -1\r\n\r\n"),
        broken(400, HEAD + "Content-Length: 0x5\r\n\r\n"),
        broken(400, HEAD + "Content-Length: 99999999999999999999\r\n\r\n"),
        // whose server
        broken(400, line + "\r\n"),
        broken(400, line + "Host: x\r\nHost: y\r\n\r\n"),
        broken(400, line + "Host: x\r\nhOST: x\r\n\r\n"),
        broken(400, line + "Host:\r\n\r\n"),
        broken(400, line + "Host: x y\r\n\r\n"),
        broken(400, line + "Host: x/y\r\n\r\n"),
        broken(400, line + "Host: user@x\r\n\r\n"),
        broken(400, line + "Host: x:port\r\n\r\n"),
        broken(400, line + "Host: x:65536\r\n\r\n"),
        broken(400, line + "Host: [::1\r\n\r\n"),
        broken(400, line + "Host: x,y\u00E9\r\n\r\n"),
        // not HTTP/1.0 or 1.1
        broken(505, "GET /count HTTP/9.9\r\nHost: x\r\n\r\n"),
        broken(505, "GET /count HTTP/1.2\r\nHost: x\r\n\r\n"),
        broken(505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        broken(400, "GET /count \u0000HTTP/1.1\r\nHost: x\r\n\r\n"),
        broken(400, "GET /count HTTP/1.1\u0000\r\nHost: x\r\n\r\n"),
        broken(400, "GET /count\u0000 HTTP/1.1\r\nHost: x\r\n\r\n"),
        broken(400, "\u0000GET /count HTTP/1.1\r\nHost: x\r\n\r\n"),
        broken(400, "\rGET /count HTTP/1.1\r\nHost: x\r\n\r\n"),
        broken(400, "GET\r /count HTTP/1.1\r\nHost: x\r\n\r\n"),
        broken(400, "GET /count\tHTTP/1.1\r\nHost: x\r\n\r\n"),
        broken(400, "GET  /count HTTP/1.1\r\nHost: x\r\n\r\n"),
        broken(400, " GET /count HTTP/1.1\r\nHost: x\r\n\r\n"),
        broken(400, "GET /count HTTP/1.1 \r\nHost: x\r\n\r\n"),
        broken(400, "GET /count http/1.1\r\nHost: x\r\n\r\n"),
        broken(400, "GET /count HTTP/1.1\nHost: x\n\n"),
        broken(400, "GET /count\r\n\r\n"),
        broken(501, "GRAB /count HTTP/1.1\r\nHost: x\r\n\r\n"),
        broken(400, "G@T /count HTTP/1.1\r\nHost: x\r\n\r\n"),
        // headers
        broken(400, host + ": without a name\r\n\r\n"),
        broken(400, host + "No-Colon\r\n\r\n"),
        broken(400, host + "Space : x\r\n\r\n"),
        broken(400, host + " folded: x\r\n\r\n"),
        broken(400, host + "X: a\rb\r\n\r\n"),
        broken(400, host + "X: a\u0000b\r\n\r\n"),
        broken(400, host + "X\u0000: ab\r\n\r\n"),
        broken(414, "GET /" + "c".repeat(9000) + " HTTP/1.1\r\nHost: x\r\n\r\n"),
        broken(431, host + "X: " + "y".repeat(20000) + "\r\n\r\n"),
        // what the body is
        broken(
            400,
            HEAD + "Content-Type: multipart/form-data; boundary=\r\nContent-Length: 0\r\n\r\n"),
        broken(400, HEAD + "Content-Type: json\r\nContent-Length: 0\r\n\r\n"),
        broken(400, HEAD + "Content-Type: a/b\r\nContent-Type: c/d\r\nContent-Length: 0\r\n\r\n"),
        broken(
            400,
            HEAD + "Content-Type: a/b;c=" + "d".repeat(4000) + "\r\nContent-Length: 0\r\n\r\n"),
        // which resource
        target("/%"),
        target("/count%"),
        target("/%zz"),
        target("/items/../count"),
        target("/items/.."),
        target("/./count"),
        target("/count/."),
        target("//count"),
        target("/items//count"),
        target("/%63ount"),
        target("/%2e/count"),
        target("/items/%2E%2e/count"),
        target("/items%2Fcount"),
        target("/items%2fcount"),
        target("/items%5C..%5Ccount"),
        target("/items\\count"),
        target("/count%00"),
        target("/count%252e"),
        target("/count#there"),
        target("/c\u00F6unt"),
        target("/count?q=%"),
        target("/count?q=%g0"),
        target("count"),
        target("http://x@y/count"),
        target("http:///count"),
        target("http://x/%2e/count"),
        target("ftp://x/count"),
        target("*"));
  }

  static Stream<Arguments> brokenChunks() {
    return Stream.of(
        broken(400, CHUNKED + "x\r\n\r\n"),
        broken(400, CHUNKED + "-1\r\n\r\n"),
        broken(400, CHUNKED + "ffffffffffffffff\r\n\r\n"),
        broken(400, CHUNKED + "5 5\r\nabcde\r\n0\r\n\r\n"),
        broken(400, CHUNKED + "2\r\nabc\r\n0\r\n\r\n"),
        broken(400, CHUNKED + "1;a=\"\r\nX\r\n0\r\n\r\n" + HIDDEN + "\"\r\nY\r\n0\r\n\r\n"),
        broken(400, CHUNKED + "1;a=" + "b".repeat(9000) + "\r\nx\r\n0\r\n\r\n"),
        broken(400, CHUNKED + "1\nx\n0\n\n"),
        broken(431, CHUNKED + "0\r\nX: " + "y".repeat(20000) + "\r\n\r\n"),
        broken(400, CHUNKED + "0\r\nX\u0000: y\r\n\r\n"));
  }

  private static Arguments broken(int status, String request) {
    return Arguments.of(status, request);
  }

  private static Arguments target(String target) {
    return broken(400, "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
  }

  @ParameterizedTest
  @MethodSource("broken")
  void shouldAnswerWhatItCannotRelyOnAndTakeNothingBehindIt(int status, String request)
      throws Exception {
    for (int port : new int[] {fixture.port(), fixture.managementPort()}) {
      List<Answer> answers = RawHttp.answers(port, request + HIDDEN + HIDDEN);
      assertThat(answers).hasSize(1);
      Answer answer = answers.get(0);
      assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
      assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
      assertThat(answer.header("Connection")).isEqualTo("close");
      assertThat(answer.body()).contains("\"status\":" + status).contains("\"code\":\"");
    }
    assertThat(EXECUTED).hasValue(0);
  }

  @ParameterizedTest
  @MethodSource("brokenChunks")
  void shouldEndTheConnectionAtABodyItCannotRead(int status, String request) throws Exception {
    List<Answer> answers = RawHttp.answers(fixture.port(), request + HIDDEN + HIDDEN);
    assertThat(answers).extracting(Answer::status).containsExactly(status);
    assertThat(answers.get(0).header("Content-Type")).isEqualTo("application/problem+json");
    // here a request is answered before its body has come, since there is no such path
    assertThat(RawHttp.answers(fixture.managementPort(), request + HIDDEN + HIDDEN)).hasSize(1);
    assertThat(EXECUTED).hasValue(0);
  }

  @Test
  void shouldRefuseASlashAtTheEndWhereNoPathHasOne() throws Exception {
    String request = "GET /count/ HTTP/1.1\r\nHost: x\r\n\r\n" + HIDDEN;
    assertThat(RawHttp.answers(fixture.port(), request))
        .extracting(Answer::status)
        .containsOnly(400);
    assertThat(EXECUTED).hasValue(0);
    // clients of Jolokia send one
    assertThat(
            RawHttp.answers(
                fixture.managementPort(),
                "GET /observe/health/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
        .extracting(Answer::status)
        .containsOnly(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /count HTTP/1.1\r\nHost: x",
        "\r\nGET /count HTTP/1.1\r\nHost: shop.example:8080",
        "GET /count?a=%20b&c=/../d HTTP/1.1\r\nHost: [::1]:8080",
        "GET http://shop.example:8080/count?q HTTP/1.1\r\nHost: other",
        "GET /count HTTP/1.0\r\nX: y",
        "GET /count HTTP/1.0\r\nHost: x",
        "POST /count HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Type: multipart/form-data; boundary=\"a b\"",
        "POST /count HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Type: application/json;charset=utf-8"
      })
  void shouldTakeWhatIsValid(String head) throws Exception {
    List<Answer> answers = RawHttp.answers(fixture.port(), head + "\r\nConnection: close\r\n\r\n");
    assertThat(answers).extracting(Answer::status).containsExactly(200);
    assertThat(EXECUTED).hasValue(1);
  }

  @Test
  void shouldTakeChunksWithExtensionsAndTrailers() throws Exception {
    String request =
        HEAD
            + "Connection: close\r\nTransfer-Encoding: Chunked\r\n\r\n"
            + "1;a=\"b\"\r\nx\r\n0\r\nX-Sum: 1\r\n\r\n";
    assertThat(RawHttp.answers(fixture.port(), request))
        .extracting(Answer::body)
        .containsOnly("counted");
  }

  @Test
  void shouldAnswerWhatCameBeforeABrokenRequest() throws Exception {
    String request = HIDDEN + HIDDEN + CHUNKED + "zz\r\n" + HIDDEN;
    assertThat(RawHttp.answers(fixture.port(), request))
        .extracting(Answer::status)
        .containsExactly(200, 200, 400);
    assertThat(EXECUTED).hasValue(2);
  }

  @Test
  void shouldTakeNothingBehindABodyThatIsTooLong() throws Exception {
    String request = HEAD + "Content-Length: 5000\r\n\r\n" + "x".repeat(5000) + HIDDEN;
    List<Answer> answers = RawHttp.answers(fixture.port(), request);
    assertThat(answers).extracting(Answer::status).containsExactly(413);
    assertThat(EXECUTED).hasValue(0);
  }

  @Test
  void shouldCountWhatItRejects() throws Exception {
    double before = rejected("framing");
    RawHttp.exchange(
        fixture.port(), HEAD + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n");
    assertThat(rejected("framing")).isEqualTo(before + 1);
  }

  private static MeterRegistry meters() {
    return fixture
        .context()
        .getRegistry()
        .lookupByNameAndType(MicrometerConstants.METRICS_REGISTRY_NAME, MeterRegistry.class);
  }

  private static double rejected(String reason) {
    return meters()
        .get("seckill.http.rejected")
        .tags("server", "main", "reason", reason)
        .functionCounter()
        .count();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "?Authorization=Bearer%20t&Idempotency-Key=k&id=9; ; ",
        "; application/x-www-form-urlencoded; Authorization=Bearer%20t&Idempotency-Key=k&id=9",
        "; multipart/form-data; --b\\r\\nContent-Disposition: form-data; name=\"Authorization\"\\r\\n\\r\\nBearer t\\r\\n--b--\\r\\n"
      })
  void shouldMakeNoHeaderOfQueriesAndForms(String query, String type, String form)
      throws Exception {
    String body = form == null ? "" : form.replace("\\r\\n", "\r\n");
    String request =
        "POST /blocking/7"
            + (query == null ? "" : query)
            + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            + (type == null ? "" : "Content-Type: " + type + "; boundary=b\r\n")
            + "Content-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    assertThat(RawHttp.answers(fixture.port(), request))
        .extracting(Answer::body)
        .singleElement()
        .asString()
        .startsWith("id=7 authorization=null key=null query=")
        .satisfies(
            told -> {
              if (query != null) {
                assertThat(told).contains("Authorization=Bearer t");
              }
            });
  }

  @Test
  void shouldNotReadRequestsWhoseAnswersAreNotTaken() throws Exception {
    byte[] requests =
        "GET /count HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000).getBytes(StandardCharsets.US_ASCII);
    try (SocketChannel client = SocketChannel.open(address())) {
      client.configureBlocking(false);
      int sent = sendUntilRefused(client, requests);
      int executed = EXECUTED.get();
      // what is in the buffers of both ends was sent but not read, and what was read but not taken
      // is answered
      assertThat(executed * 34L).isLessThan(sent);
      ByteBuffer taken = ByteBuffer.allocate(1 << 20);
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(
              () -> {
                taken.clear();
                client.read(taken);
                return EXECUTED.get() > executed;
              });
    }
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(
            () ->
                meters().get("seckill.http.connections").tags("server", "main").gauge().value()
                    == 0);
  }

  private static InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", fixture.port());
  }

  /** Sends until nothing more is taken for a while; returns how many bytes were. */
  private static int sendUntilRefused(SocketChannel client, byte[] requests) throws Exception {
    ByteBuffer buffer = ByteBuffer.wrap(requests);
    int sent = 0;
    int refusals = 0;
    while (refusals < 50) {
      int written = client.write(buffer);
      sent += written;
      refusals = written == 0 ? refusals + 1 : 0;
      if (written == 0) {
        Thread.sleep(20);
      }
      if (!buffer.hasRemaining()) {
        buffer.rewind();
      }
      assertThat(sent).as("bytes of requests that are never read").isLessThan(50_000_000);
    }
    return sent;
  }

  @Test
  void shouldAnswerAllThatIsSentAheadInOrder() throws Exception {
    StringBuilder requests = new StringBuilder();
    for (int i = 1; i <= 2_000; i++) {
      requests.append("GET /items/" + i + " HTTP/1.1\r\nHost: x\r\n");
      requests.append(i == 2_000 ? "Connection: close\r\n\r\n" : "\r\n");
    }
    List<Answer> answers = RawHttp.answers(fixture.port(), requests.toString());
    assertThat(answers).hasSize(2_000);
    for (int i = 1; i <= 2_000; i++) {
      assertThat(answers.get(i - 1).body()).isEqualTo("" + i);
    }
  }

  @Test
  void shouldEndRequestsThatTakeTooLong() throws Exception {
    try (HttpFixture hasty =
        fixture(Map.of("seckill.http.head-timeout", "1", "seckill.http.body-timeout", "1"))) {
      for (int port : new int[] {hasty.port(), hasty.managementPort()}) {
        assertThat(
                drip(port, "GET /count HTTP/1.1\r\nHost: x\r\nX: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"))
            .isEqualTo(408);
      }
      String body = HEAD + "Content-Length: 40\r\n\r\n";
      assertThat(drip(hasty.port(), body, "x".repeat(40))).isEqualTo(408);
      assertThat(drip(hasty.port(), CHUNKED, "1\r\nx\r\n".repeat(8))).isEqualTo(408);
      assertThat(EXECUTED).hasValue(0);
      // one that only waits is not hurried
      try (Socket idle = new Socket("127.0.0.1", hasty.port())) {
        idle.getOutputStream().write("\r\n".getBytes(StandardCharsets.US_ASCII));
        Thread.sleep(2_500);
        idle.getOutputStream()
            .write(
                "GET /count HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        assertThat(RawHttp.parse(read(idle))).extracting(Answer::status).containsExactly(200);
      }
    }
  }

  private static int drip(int port, String... parts) throws Exception {
    String slow = parts[parts.length - 1];
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(60_000);
      for (int i = 0; i < parts.length - 1; i++) {
        socket.getOutputStream().write(parts[i].getBytes(StandardCharsets.US_ASCII));
      }
      for (int i = 0; i < slow.length() && socket.getInputStream().available() == 0; i++) {
        socket.getOutputStream().write(slow.charAt(i));
        Thread.sleep(100);
      }
      List<Answer> answers = RawHttp.parse(read(socket));
      assertThat(answers).hasSize(1);
      return answers.get(0).status();
    }
  }

  private static String read(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  @Test
  void shouldTakeAsManyConnectionsAsItMay() throws Exception {
    try (HttpFixture small = fixture(Map.of("seckill.http.max-connections", "3"))) {
      List<Socket> open = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        open.add(new Socket("127.0.0.1", small.port()));
        open.get(i).getOutputStream().write(HIDDEN.getBytes(StandardCharsets.US_ASCII));
        assertThat(open.get(i).getInputStream().read()).isEqualTo('H');
      }
      try (Socket further = new Socket("127.0.0.1", small.port())) {
        further.setSoTimeout(60_000);
        Answer answer = RawHttp.parse(read(further)).get(0);
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isEqualTo("1");
        assertThat(answer.body()).contains("\"code\":\"UNAVAILABLE\"");
      }
      open.get(0).close();
      String request = "GET /count HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> RawHttp.answers(small.port(), request).get(0).status() == 200);
      open.get(1).close();
      open.get(2).close();
    }
  }

  @Test
  void shouldNotStartWithoutRoomForAnybody() {
    assertThatThrownBy(() -> fixture(Map.of("seckill.http.max-connections", "0")))
        .hasStackTraceContaining("seckill.http.max-connections must be 1 or more");
  }
}
