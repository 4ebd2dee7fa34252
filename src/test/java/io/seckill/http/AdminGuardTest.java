package io.seckill.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Counter;
import io.seckill.embedded.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Routes below /admin that ask for nothing themselves, on either engine. */
class AdminGuardTest {
  private static final String RIGHT = "Authorization: Bearer s3cret\r\n";

  private static HttpFixture fixture;

  @BeforeAll
  static void start() throws Exception {
    fixture = new HttpFixture(Map.of("seckill.admin.token", "s3cret\n"), AdminGuardTest::configure);
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  private static void configure(RouteBuilder routes) {
    routes.from("platform-http:/admin/blocks").setBody(routes.constant("inside"));
    routes
        .from("platform-http:/admin/loops?platformHttpEngine=#eventLoop")
        .setBody(routes.constant("inside"));
    routes
        .from("platform-http:/administrators?platformHttpEngine=#eventLoop")
        .setBody(routes.constant("open"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Authorization: Bearer s3cret",
        "authorization:bearer  s3cret ",
        "AUTHORIZATION: BEARER s3cret"
      })
  void shouldLetTheTokenPassWhateverTheCaseOfTheScheme(String header) throws Exception {
    for (String path : new String[] {"/admin/blocks", "/admin/loops"}) {
      assertThat(get(fixture.port(), path, header + "\r\n")).startsWith("HTTP/1.1 200 ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Authorization:\r\n",
        "Authorization: Bearer\r\n",
        "Authorization: Bearer \r\n",
        "Authorization: Bearer s3cre\r\n",
        "Authorization: Bearer s3cret1\r\n",
        "Authorization: Basic s3cret\r\n",
        "Authorization: s3cret\r\n",
        "X-Authorization: Bearer s3cret\r\n",
        "Cookie: Authorization=Bearer s3cret\r\n",
        "Authorization: Bearer s3cret\r\nAuthorization: Bearer s3cret\r\n"
      })
  void shouldRefuseEverythingElseWithAChallenge(String headers) throws Exception {
    for (String path : new String[] {"/admin/blocks", "/admin/loops", "/admin", "/admin/nothing"}) {
      assertThat(get(fixture.port(), path, headers))
          .startsWith("HTTP/1.1 401 ")
          .contains("WWW-Authenticate: Bearer realm=", "\"code\":\"UNAUTHENTICATED\"")
          .doesNotContain("s3cret", "inside");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/admin/blocks?Authorization=Bearer%20s3cret",
        "/admin/blocks?authorization=Bearer+s3cret",
        "//admin/blocks",
        "/admin//blocks",
        "/admin/blocks/",
        "/./admin/blocks",
        "/seckill/../admin/blocks",
        "/administrators/../admin/blocks",
        "/%61dmin/blocks",
        "/admin/%62locks",
        "/%2e/admin/blocks",
        "/x/%2E%2e/admin/blocks",
        "admin/blocks",
        "http://localhost/admin/blocks",
        "/admin/blocks#x",
        "/admin/blocks;x=1",
        "/ADMIN/blocks",
        "/admin%2fblocks",
        "/admin\\blocks"
      })
  void shouldBeReachedByNoOtherSpellingOrField(String target) throws Exception {
    for (String spelling : new String[] {target, target.replace("blocks", "loops")}) {
      assertThat(get(fixture.port(), spelling, ""))
          .as(spelling)
          .startsWith("HTTP/1.1 4")
          .doesNotContain("inside");
    }
  }

  @Test
  void shouldNotTakeAFieldOfAFormForTheHeader() throws Exception {
    String form = "Authorization=Bearer+s3cret";
    String part =
        "--b\r\nContent-Disposition: form-data; name=\"Authorization\"\r\n\r\nBearer s3cret\r\n--b--\r\n";
    for (String path : new String[] {"/admin/blocks", "/admin/loops"}) {
      assertThat(post(path, "application/x-www-form-urlencoded", form)).startsWith("HTTP/1.1 401 ");
      assertThat(post(path, "multipart/form-data; boundary=b", part)).startsWith("HTTP/1.1 401 ");
    }
  }

  @Test
  void shouldLeaveOtherPathsOpen() throws Exception {
    assertThat(get(fixture.port(), "/administrators", "")).startsWith("HTTP/1.1 200 ");
    assertThat(get(fixture.port(), "/nothing", "")).startsWith("HTTP/1.1 404 ");
  }

  /** Some of so many wait for seconds; the right token, from the same address, does not. */
  @Test
  void shouldLetWrongTokensWaitAndNeverTheRightOne() throws Exception {
    Counter wrong = fixture.meters().get("seckill.admin.wrong.tokens").counter();
    double before = wrong.count();
    List<Socket> guesses = new ArrayList<>();
    try {
      for (int i = 0; i < 12; i++) {
        Socket guess = new Socket("127.0.0.1", fixture.port());
        guesses.add(guess);
        guess
            .getOutputStream()
            .write(
                head("GET", "/admin/blocks", "Authorization: Bearer guess\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
      }
      await().atMost(30, TimeUnit.SECONDS).until(() -> wrong.count() == before + guesses.size());

      assertThat(get(fixture.port(), "/admin/blocks", RIGHT)).startsWith("HTTP/1.1 200 ");

      assertThat(guesses).anyMatch(guess -> available(guess) == 0);
      for (Socket guess : guesses) {
        assertThat(new String(guess.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .startsWith("HTTP/1.1 401 ");
      }
    } finally {
      for (Socket guess : guesses) {
        guess.close();
      }
    }
  }

  private static int available(Socket socket) {
    try {
      return socket.getInputStream().available();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void shouldLetNobodyPassWithoutAToken() throws Exception {
    try (HttpFixture open = new HttpFixture(Map.of(), AdminGuardTest::configure)) {
      assertThat(get(open.port(), "/admin/blocks", "Authorization: Bearer \r\n"))
          .startsWith("HTTP/1.1 401 ");
      assertThat(get(open.port(), "/admin/blocks", "Authorization: Bearer x\r\n"))
          .startsWith("HTTP/1.1 401 ");
    }
  }

  @Test
  void shouldKeepAdministrationToAnAddressOfItsOwn() throws Exception {
    int port = Ports.free();
    try (HttpFixture apart =
        new HttpFixture(
            Map.of("seckill.admin.token", "s3cret", "seckill.admin.port", Integer.toString(port)),
            AdminGuardTest::configure)) {
      for (String path : new String[] {"/admin/blocks", "/admin/loops"}) {
        assertThat(get(apart.port(), path, RIGHT)).as(path).startsWith("HTTP/1.1 404 ");
      }
      assertThat(get(port, "/admin/blocks", RIGHT)).startsWith("HTTP/1.1 200 ");
      assertThat(get(port, "/admin/loops", RIGHT)).startsWith("HTTP/1.1 200 ");
      assertThat(get(port, "/admin/loops", "")).startsWith("HTTP/1.1 401 ");
      assertThat(get(port, "/administrators", RIGHT)).startsWith("HTTP/1.1 404 ");
      assertThat(get(apart.port(), "/administrators", "")).startsWith("HTTP/1.1 200 ");
    }
  }

  private static String get(int port, String target, String headers) throws Exception {
    return RawHttp.exchange(port, head("GET", target, headers));
  }

  private static String post(String target, String contentType, String body) throws Exception {
    return RawHttp.exchange(
        fixture.port(),
        head(
                "POST",
                target,
                "Content-Type: " + contentType + "\r\nContent-Length: " + body.length() + "\r\n")
            + body);
  }

  private static String head(String method, String target, String headers) {
    return method
        + " "
        + target
        + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + headers
        + "\r\n";
  }
}
