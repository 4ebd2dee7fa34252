package io.seckill.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.embedded.Ports;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the pages' files come over HTTP; the browser tests say what they do. */
class PagesIT {
  private final HttpClient client = HttpClient.newHttpClient();
  private final TestApplication application = TestApplication.shared();

  @ParameterizedTest
  @CsvSource({
    "/console,text/html; charset=utf-8",
    "/console/console.js,text/javascript; charset=utf-8",
    "/console/console.css,text/css; charset=utf-8",
    "/web/common/common.css,text/css; charset=utf-8",
    "/web/common/icon.svg,image/svg+xml; charset=utf-8",
    "/web/lib/uplot/uPlot.iife.min.js,text/javascript; charset=utf-8"
  })
  void shouldServeFilesThatRunNothingFromElsewhere(String path, String type) throws Exception {
    HttpResponse<byte[]> reply = send("GET", path);
    assertThat(reply.statusCode()).isEqualTo(200);
    assertThat(reply.headers().map())
        .extractingByKeys(
            "content-type", "x-content-type-options", "referrer-policy", "cache-control")
        .extracting(values -> values.get(0))
        .containsExactly(type, "nosniff", "no-referrer", "no-cache");
    assertThat(header(reply, "Content-Security-Policy"))
        .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
        .doesNotContain("unsafe", "http", "*");
    assertThat(send("HEAD", path).body()).isEmpty();
    assertThat(send("HEAD", path).statusCode()).isEqualTo(200);
  }

  @Test
  void shouldSendAFileOnceAndInFewBytes() throws Exception {
    String path = "/web/lib/uplot/uPlot.iife.min.js";
    HttpResponse<byte[]> plain = send("GET", path);
    HttpResponse<byte[]> compressed = send("GET", path, "Accept-Encoding", "br, gzip");
    assertThat(header(compressed, "Content-Encoding")).isEqualTo("gzip");
    assertThat(compressed.body()).hasSizeLessThan(plain.body().length / 2);
    assertThat(new GZIPInputStream(new ByteArrayInputStream(compressed.body())).readAllBytes())
        .isEqualTo(plain.body());

    String tag = header(plain, "ETag");
    assertThat(header(compressed, "ETag")).isEqualTo(tag);
    HttpResponse<byte[]> again = send("GET", path, "If-None-Match", "\"other\", " + tag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(send("GET", path, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console/index.html",
        "/console/nothing.js",
        "/console/application.properties",
        "/web",
        "/web/console/index.html",
        "/web/lib/uplot/uPlot.iife.js",
        "/application.properties",
        "/META-INF/MANIFEST.MF"
      })
  void shouldServeNothingElse(String path) throws Exception {
    HttpResponse<byte[]> reply = send("GET", path);
    assertThat(reply.statusCode()).isEqualTo(404);
    assertThat(header(reply, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(text(reply)).contains("\"code\":\"NOT_FOUND\"");
  }

  @Test
  void shouldTakeNothing() throws Exception {
    HttpResponse<byte[]> reply = send("POST", "/console");
    assertThat(reply.statusCode()).isEqualTo(405);
    assertThat(header(reply, "Allow")).isEqualTo("GET, HEAD");
    assertThat(text(reply)).contains("\"code\":\"METHOD_NOT_ALLOWED\"");
  }

  /** A buyer who may say who he is must not be met where sales are real. */
  @Test
  void shouldHaveNoShopOnExternalServers() throws Exception {
    assertThat(send("GET", "/demo").statusCode()).isEqualTo(404);
    assertThat(send("GET", "/demo/shop.js").statusCode()).isEqualTo(404);
  }

  @Test
  void shouldServeTheConsoleWhereAdministrationIs() {
    int port = Ports.free();
    try (TestApplication apart =
        TestApplication.start(Map.of("seckill.admin.port", Integer.toString(port)))) {
      Shop shop = apart.shop();
      assertThat(shop.send(shop.request("/console").build()).code()).isEqualTo("NOT_FOUND");
      Shop administration = new Shop("http://127.0.0.1:" + port, apart.adminToken());
      assertThat(administration.send(administration.request("/console").build()).text())
          .contains("/console/console.js");
    }
  }

  private HttpResponse<byte[]> send(String method, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(application.baseUrl() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static String header(HttpResponse<?> reply, String name) {
    return reply.headers().firstValue(name).orElse(null);
  }

  private static String text(HttpResponse<byte[]> reply) {
    return new String(reply.body(), StandardCharsets.UTF_8);
  }
}
