package io.seckill.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.seckill.embedded.Ports;
import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Browser;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/hawtio} against a node, in a browser. */
class HawtioIT {
  private static final int ORDERS = 3;

  /** Milliseconds; diagrams are much for a browser without a graphics card. */
  private static final int PATIENCE = 120_000;

  private static final Pattern COUNT = Pattern.compile("^[1-9]\\d*$");

  private static final Page.GetByTextOptions EXACTLY = new Page.GetByTextOptions().setExact(true);

  @TempDir private static Path directory;

  private static Browser browser;
  private static ApplicationProcess application;
  private static Process hawtio;
  private static Page page;
  private static final List<Response> answers = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    browser = Browser.launch();
    Map<String, String> properties = new HashMap<>(TestApplication.apart("hawtio", 12));
    properties.put("seckill.hawtio.details", "true");
    application = ApplicationProcess.external(directory, properties).start().awaitReady();
    sell(application.shop());
    int port = Ports.free();
    String address = "http://localhost:" + port + "/hawtio/";
    Path output = directory.resolve("hawtio.log");
    ProcessBuilder command =
        new ProcessBuilder("bin/hawtio", application.managementUrl() + "/observe/jolokia")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    command.environment().put("PORT", Integer.toString(port));
    hawtio = command.start();
    Awaitility.await("bin/hawtio")
        .atMost(120, TimeUnit.SECONDS)
        .until(() -> !hawtio.isAlive() || Files.readString(output).contains(address));
    assertThat(hawtio.isAlive()).as(Files.readString(output)).isTrue();
    page = browser.page();
    page.setDefaultTimeout(PATIENCE);
    page.onResponse(
        response -> {
          if (response.url().contains("/jolokia")) {
            answers.add(response);
          }
        });
    page.navigate(address);
    text("order-api").waitFor();
  }

  private static void sell(Shop shop) {
    long product = Products.next();
    shop.openSale(product, ORDERS);
    for (int user = 1; user <= ORDERS; user++) {
      assertThat(shop.buyOnceOpen(product, user, "hawtio-" + user).status()).isEqualTo(202);
    }
    shop.awaitRest(product);
  }

  @AfterAll
  static void end() {
    if (hawtio != null) {
      hawtio.destroy();
    }
    if (application != null) {
      application.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void shouldDrawARouteWithTheCountsOfItsNodes() {
    click("Camel");
    for (String[] drawn :
        new String[][] {
          {"order-api", "take-purchase", "reserve-unit"}, {"order-writer", "write-batch"}
        }) {
      click(drawn[0]);
      for (int i = 1; i < drawn.length; i++) {
        Locator node = node(drawn[i]);
        node.locator(".number").filter(withCount()).waitFor();
        awaitInView(node);
      }
    }
    verifyNothingWasRefused();
  }

  @Test
  void shouldListAllRoutesWithTheirStateAndCounts() throws Exception {
    Set<String> routes = routes();
    assertThat(routes).contains("order-api", "order-writer", "outbox-relay");
    click("Camel");
    click("routes");
    click("Routes");
    Locator rows = page.locator("tr").filter(new Locator.FilterOptions().setHas(cell("Name")));
    PlaywrightAssertions.assertThat(rows)
        .hasCount(routes.size(), new LocatorAssertions.HasCountOptions().setTimeout(PATIENCE));
    assertThat(rows.locator(cell("Name")).allTextContents())
        .containsExactlyInAnyOrderElementsOf(routes);
    for (Locator state : rows.locator(cell("State")).all()) {
      PlaywrightAssertions.assertThat(state).hasText("Started");
    }
    Locator orders =
        rows.filter(new Locator.FilterOptions().setHas(page.getByText("order-api", EXACTLY)));
    assertThat(Integer.parseInt(orders.locator(cell("Total")).textContent()))
        .isGreaterThanOrEqualTo(ORDERS);
    assertThat(orders.locator(cell("Failed")).textContent()).isEqualTo("0");
    verifyNothingWasRefused();
  }

  /** The ids of the routes, as the node itself lists their MBeans. */
  private static Set<String> routes() throws Exception {
    String address =
        application.managementUrl() + "/observe/jolokia/search/org.apache.camel:type=routes,*";
    String answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString())
            .body();
    return Pattern.compile("name=\\\\\"([^\"\\\\]+)")
        .matcher(answer)
        .results()
        .map(name -> name.group(1))
        .collect(Collectors.toSet());
  }

  private static Locator cell(String column) {
    return page.locator("td[data-label='" + column + "']");
  }

  @Test
  void shouldShowTheTreeOfMBeans() {
    click("JMX");
    for (String domain : List.of("org.apache.camel", "java.lang", "kafka.consumer")) {
      text(domain).waitFor();
    }
    verifyNothingWasRefused();
  }

  /** What the policy refuses Hawtio asks again for ever. */
  private static void verifyNothingWasRefused() {
    List<Response> soFar = List.copyOf(answers); // to read an answer lets further ones in
    assertThat(soFar).isNotEmpty().noneMatch(answer -> answer.text().contains("\"status\":403"));
    assertThat(browser.failedRequests()).noneMatch(failed -> failed.contains("/jolokia"));
  }

  private static Locator text(String text) {
    return page.getByText(text, EXACTLY).first();
  }

  /** A click that does not wait for the page's animations to end. */
  private static void click(String text) {
    text(text).dispatchEvent("click");
  }

  private static Locator node(String id) {
    return page.locator(
            ".react-flow__node", new Page.LocatorOptions().setHasText("(ID: " + id + ")"))
        .first();
  }

  private static Locator.FilterOptions withCount() {
    return new Locator.FilterOptions().setHasText(COUNT);
  }

  /** Waits for the diagram to come to rest; the ratio of what is all in view is rounded. */
  private static void awaitInView(Locator node) {
    PlaywrightAssertions.assertThat(node)
        .isInViewport(
            new LocatorAssertions.IsInViewportOptions().setRatio(0.99).setTimeout(PATIENCE));
  }
}
