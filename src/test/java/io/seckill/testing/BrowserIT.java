package io.seckill.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The browser of the tests notes what a page complains of; without that no test with it fails. */
class BrowserIT {
  private HttpServer server;
  private Browser browser;

  @BeforeEach
  void serveAPageWithFaults() throws IOException {
    browser = Browser.launch();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          boolean page = exchange.getRequestURI().getPath().equals("/");
          byte[] body =
              "<title>Faults</title><script>console.error('said'); fetch('/gone').then(() => { throw new Error('thrown') })</script>"
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          exchange.sendResponseHeaders(page ? 200 : 404, page ? body.length : -1);
          if (page) {
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void end() {
    if (server != null) {
      server.stop(0);
    }
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void errorsOfAPageAndItsFailedRequestsAreNoted() {
    Page page = browser.page();
    String address = "http://127.0.0.1:" + server.getAddress().getPort();
    page.navigate(address + "/");
    assertThat(page.title()).isEqualTo("Faults");
    page.waitForCondition(
        () -> browser.consoleErrors().stream().anyMatch(error -> error.contains("thrown")));

    assertThat(browser.consoleErrors()).anyMatch(error -> error.contains("said"));
    assertThat(browser.failedRequests()).contains("GET " + address + "/gone: 404");

    browser.forget();
    assertThat(browser.consoleErrors()).isEmpty();
    assertThat(browser.failedRequests()).isEmpty();
  }
}
