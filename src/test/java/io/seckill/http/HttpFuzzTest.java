package io.seckill.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.http.RawHttp.Answer;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.apache.camel.builder.RouteBuilder;

/**
 * Rows of requests in random framings, encodings and headers, some with random bytes damaged, on
 * raw connections. Whatever is sent, the server answers no more requests than a strict reader
 * finds, in their order, and executes none that was not sent.
 */
class HttpFuzzTest {
  private static final String SEED = "20261130";
  private static final String HIDDEN = "GET /count HTTP/1.1\r\nHost: x\r\nX-Tag: hidden\r\n\r\n";
  private static final Set<Integer> SERVER_ERRORS = Set.of(501, 503, 505);
  private static final String TAG = "{tag}";

  private static final ConcurrentLinkedQueue<String> EXECUTED = new ConcurrentLinkedQueue<>();
  private static final AtomicInteger CASES = new AtomicInteger();

  private static HttpFixture fixture;

  /** Bytes to put in place of, or before, others. */
  record Damage(int position, String bytes, boolean inserted) {
    String to(String text) {
      int at = position % (text.length() + 1);
      return text.substring(0, at)
          + bytes
          + text.substring(inserted ? at : Math.min(text.length(), at + bytes.length()));
    }
  }

  @BeforeContainer
  static void start() throws Exception {
    fixture =
        new HttpFixture(Map.of("seckill.http.allowed-hosts", "x, y"), HttpFuzzTest::configure);
  }

  private static void configure(RouteBuilder routes) {
    routes
        .from("platform-http:/count?platformHttpEngine=#eventLoop")
        .routeId("count")
        .streamCache("false")
        .process(
            exchange -> {
              String tag = exchange.getMessage().getBody(Request.class).header("X-Tag");
              EXECUTED.add(tag == null ? "" : tag.strip());
              exchange.getMessage().setBody(body(tag));
            });
    routes
        .from("platform-http:/blocking/{id}")
        .routeId("blocking")
        .process(
            exchange -> {
              String tag = exchange.getMessage().getHeader("X-Tag", String.class);
              exchange.getMessage().removeHeaders("*");
              exchange.getMessage().setBody(body(tag));
            });
  }

  private static byte[] body(String tag) {
    return (tag == null ? "" : tag).getBytes(StandardCharsets.ISO_8859_1);
  }

  @AfterContainer
  static void stop() {
    fixture.close();
  }

  @Property(tries = 7_000, seed = SEED, edgeCases = EdgeCasesMode.NONE)
  void shouldAnswerOnlyWhatWasSent(
      @ForAll("rows") List<String> requests, @ForAll("damages") List<Damage> damages)
      throws Exception {
    String text = tagged(requests);
    for (Damage damage : damages) {
      text = damage.to(text);
    }
    judge(text);
  }

  @Property(tries = 3_000, seed = SEED, edgeCases = EdgeCasesMode.NONE)
  void shouldAnswerAllThatIsValid(@ForAll("validRows") List<String> requests) throws Exception {
    String text = tagged(requests);
    List<Answer> answers = judge(text);
    assertThat(answers)
        .as(text)
        .hasSize(requests.size())
        .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
  }

  private static String tagged(List<String> requests) {
    int number = CASES.incrementAndGet();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < requests.size(); i++) {
      text.append(requests.get(i).replace(TAG, number + "-" + i));
    }
    return text.toString();
  }

  private static List<Answer> judge(String text) throws IOException {
    EXECUTED.clear();
    List<Answer> answers = RawHttp.parse(exchange(text));
    List<String> sent = StrictReader.tags(text);
    List<String> executed = List.copyOf(EXECUTED);
    assertInOrder(executed, sent, text);
    assertInOrder(
        answers.stream()
            .filter(answer -> answer.status() == 200)
            .map(answer -> answer.body().strip())
            .toList(),
        sent,
        text);
    // one more may be refused: that at which a strict reader ends
    assertThat(answers.size()).as(text).isLessThanOrEqualTo(sent.size() + 1);
    for (Answer answer : answers) {
      assertThat(answer.status() < 500 || SERVER_ERRORS.contains(answer.status()))
          .as("%s to %s", answer, text)
          .isTrue();
    }
    return answers;
  }

  private static void assertInOrder(List<String> tags, List<String> sent, String text) {
    int next = 0;
    for (String tag : tags) {
      while (next < sent.size() && !sent.get(next).equals(tag)) {
        next++;
      }
      assertThat(next).as("%s of %s in %s", tags, sent, text).isLessThan(sent.size());
      next++;
    }
  }

  /** Sends the text and the end of it, and reads to the end. */
  private static String exchange(String text) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", fixture.port())) {
      socket.setSoTimeout(60_000);
      socket.setTcpNoDelay(true);
      try {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.shutdownOutput();
      } catch (SocketException e) {
        // the server has answered and closed; what it said is there all the same
        assertThat(e).hasMessageMatching("Broken pipe.*|Connection reset.*|Socket.*");
      }
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Provide
  Arbitrary<List<String>> rows() {
    return Arbitraries.frequencyOf(Tuple.of(3, request()), Tuple.of(2, oddRequest()))
        .list()
        .ofMinSize(1)
        .ofMaxSize(4);
  }

  @Provide
  Arbitrary<List<String>> validRows() {
    return request().list().ofMinSize(1).ofMaxSize(40);
  }

  @Provide
  Arbitrary<List<Damage>> damages() {
    Arbitrary<String> bytes =
        Arbitraries.of(
            "\0",
            "\r",
            "\n",
            "\r\n",
            "\r\n\r\n",
            " ",
            "\t",
            "\u000B",
            ":",
            ";",
            ",",
            "\"",
            "%",
            "/",
            "\\",
            "..",
            "0",
            "1",
            "9",
            "a",
            "F",
            "-",
            "+",
            "x",
            "\u0080",
            "\u00FF",
            "");
    return Combinators.combine(
            Arbitraries.integers().between(0, 2_000), bytes, Arbitraries.of(true, false))
        .as(Damage::new)
        .list()
        .ofMaxSize(2);
  }

  /** A request that is valid and is answered 200. */
  private static Arbitrary<String> request() {
    return Combinators.combine(
            Arbitraries.of("/count", "/count?a=b", "/count?a=%20&b", "http://x/count"),
            Arbitraries.of(
                "Host: x",
                "hOsT:\tx:80\t",
                "Host: [::1]:80\r\nAccept: */*",
                "Host: x\r\nX: a\u00E9"),
            validBody())
        .as(
            (target, host, body) ->
                (body.isEmpty() ? "GET " : "POST ")
                    + target
                    + " HTTP/1.1\r\n"
                    + host
                    + "\r\nX-Tag: "
                    + TAG
                    + "\r\n"
                    + (body.isEmpty() ? "\r\n" : body));
  }

  /** Nothing, or the rest of a head and a body that looks like a request. */
  private static Arbitrary<String> validBody() {
    Arbitrary<String> content =
        Arbitraries.of("", "x", HIDDEN, "\r\n" + HIDDEN, "0\r\n\r\n" + HIDDEN);
    Arbitrary<String> sized =
        content.map(body -> "Content-Length: " + body.length() + "\r\n\r\n" + body);
    Arbitrary<String> chunked =
        Combinators.combine(
                content,
                Arbitraries.of("", ";a", ";a=b", ";a=\"b c\"", ";a=\"" + "d".repeat(100) + "\""),
                Arbitraries.of("", "X-Sum: 1\r\n", "Content-Length: 9\r\nHost: y\r\n"),
                Arbitraries.integers().between(1, 100))
            .as(HttpFuzzTest::chunked);
    return Arbitraries.oneOf(Arbitraries.just(""), sized, chunked);
  }

  private static String chunked(String content, String extension, String trailers, int size) {
    StringBuilder text = new StringBuilder("Transfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < content.length(); i += size) {
      String chunk = content.substring(i, Math.min(content.length(), i + size));
      text.append(Integer.toHexString(chunk.length())).append(extension).append("\r\n");
      text.append(chunk).append("\r\n");
    }
    return text.append("0").append(extension).append("\r\n" + trailers + "\r\n").toString();
  }

  /** A request of parts that may not belong together. */
  private static Arbitrary<String> oddRequest() {
    Arbitrary<String> line =
        Combinators.combine(
                Arbitraries.of("GET", "POST", "PUT", "OPTIONS", "DELETE", "get", "FIND", ""),
                Arbitraries.of(
                    "/count",
                    "/count/",
                    "//count",
                    "/%63ount",
                    "/./count",
                    "/blocking/1",
                    "*",
                    "/blocking/%2e%2e",
                    "/blocking/\u00E9",
                    "/blocking/%",
                    "/nowhere",
                    "/?%",
                    "x"),
                Arbitraries.of(
                    "HTTP/1.1",
                    "HTTP/1.1",
                    "HTTP/1.0",
                    "HTTP/9.9",
                    "HTTP/2.0",
                    "http/1.1",
                    "HTTP/",
                    "\0HTTP/1.1"))
            .as((method, target, version) -> method + " " + target + " " + version + "\r\n");
    Arbitrary<String> header =
        Arbitraries.of(
            "Host: x",
            "Host: x",
            "Host: y",
            "Host:",
            "Host : x",
            "Content-Length: 0",
            "Content-Length: 5",
            "Content-Length: +5",
            "Content-Length: 4097",
            "Content-Length: 5, 5",
            "Transfer-Encoding: chunked",
            "Transfer-Encoding: Chunked ",
            "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: identity",
            "Transfer-Encoding:\u000Bchunked",
            "Connection: close",
            "Connection: keep-alive, upgrade",
            "Upgrade: websocket",
            "Upgrade: h2c",
            "Expect: 100-continue",
            "Expect: everything",
            "Content-Type: multipart/form-data; boundary=",
            "Content-Type: multipart/form-data; boundary=b",
            "Content-Type: application/x-www-form-urlencoded",
            "Content-Encoding: gzip",
            "Accept-Encoding: gzip",
            " folded: x",
            "X-Long: " + "y".repeat(9_000),
            "CamelHttpResponseCode: 500",
            "X\0: y",
            "");
    Arbitrary<String> body =
        Arbitraries.of(
            "",
            "12345",
            "5\r\n12345\r\n0\r\n\r\n",
            "5;a=\"\r\n12345\r\n0\r\n\r\n",
            "0\r\n\r\n",
            "zz\r\n",
            "0\r\nX: " + "y".repeat(9_000) + "\r\n\r\n",
            "--b--\r\n",
            HIDDEN);
    return Combinators.combine(line, header.list().ofMaxSize(4), body)
        .as(
            (start, headers, rest) -> {
              List<String> lines = new ArrayList<>(headers);
              lines.add("X-Tag: " + TAG);
              return start + String.join("\r\n", lines) + "\r\n\r\n" + rest;
            });
  }
}
