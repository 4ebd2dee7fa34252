package io.seckill.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.seckill.testing.Browser;
import io.seckill.testing.Products;
import io.seckill.testing.TestApplication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The contract and the codes of problems, as an application serves them. */
class ContractPageIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final double PATIENCE = 120_000;

  private final TestApplication application = TestApplication.shared();

  @Test
  void shouldServeTheContractInBothForms() throws Exception {
    String file = Files.readString(Path.of("src/main/resources/openapi.yaml"));
    HttpResponse<String> yaml = get("/openapi.yaml");
    HttpResponse<String> json = get("/openapi.json");

    assertThat(yaml.body()).isEqualTo(file);
    assertThat(yaml.headers().firstValue("content-type")).contains("application/yaml");
    assertThat(json.headers().firstValue("content-type")).contains("application/json");
    assertThat(JSON.readTree(json.body()))
        .isEqualTo(JSON.valueToTree(new Load(LoadSettings.builder().build()).loadFromString(file)));
  }

  @Test
  void shouldExplainAProblemAtTheAddressOfItsType() throws Exception {
    HttpResponse<String> refused = get("/seckill/" + Products.next());
    JsonNode problem = JSON.readTree(refused.body());
    HttpResponse<String> page = get(problem.path("type").asText());

    assertThat(problem.path("type").asText()).isEqualTo("/problems/UNKNOWN_PRODUCT");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("<h1>UNKNOWN_PRODUCT</h1>", "There is no sale");
    assertThat(get("/problems").body()).contains("/problems/FAIL_SOLD_OUT");
    assertThat(get("/problems/NONE_SUCH").statusCode()).isEqualTo(404);
  }

  @Test
  void shouldLetAReaderTryACallWithoutAskingAnyOtherServer() {
    long product = Products.next();
    application.shop().openSale(product, 1);
    try (Browser browser = Browser.launch();
        Page page = browser.page()) {
      page.setDefaultTimeout(PATIENCE);
      page.navigate(application.baseUrl() + "/openapi");
      Locator call =
          page.locator(".opblock-get", new Page.LocatorOptions().setHasText("/seckill/{productId}"))
              .first();
      call.locator(".opblock-summary-control").click();
      call.locator(".try-out__btn").click();
      call.locator("tr[data-param-name=productId] input").fill(Long.toString(product));
      call.locator(".execute").click();
      call.locator(".live-responses-table").getByText("\"ON_SALE\"").first().waitFor();

      assertThat(browser.consoleErrors()).isEmpty();
      assertThat(browser.failedRequests()).isEmpty();
    }
  }

  private HttpResponse<String> get(String path) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(application.baseUrl() + path)).build(),
        BodyHandlers.ofString());
  }
}
