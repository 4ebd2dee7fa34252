package io.seckill.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Browser;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shop in a real browser, as whoever has just started the application meets it. */
class ShopPageIT {
  private static final int WAIT_MILLIS = 30_000;

  @TempDir private static Path directory;

  private static Browser browser;
  private static ApplicationProcess application;
  private static Shop shop;

  private final long product = Products.next();

  @BeforeAll
  static void start() {
    browser = Browser.launch();
    PlaywrightAssertions.setDefaultAssertionTimeout(WAIT_MILLIS);
    // the test settles by hand, before the application would
    application =
        ApplicationProcess.embedded(directory, Map.of("seckill.settlement.interval", "600000"))
            .start()
            .awaitReady();
    shop = application.shop();
  }

  @AfterAll
  static void stop() {
    if (application != null) {
      application.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  @AfterEach
  void complainOfNothing() {
    assertThat(WebChecks.complaints(browser)).isEmpty();
    browser.forget();
  }

  @Test
  void shouldSellWithOneClickAndStillKnowItAfterAReload() {
    shop.openSale(product, 5);
    Page page = open(browser.page());
    buy(page).click();
    assertThat(result(page)).hasText(Pattern.compile("Yours! Order \\d+\\."));
    String told = result(page).textContent();

    page.reload();
    assertThat(result(page)).hasText(told);
    assertThat(shop.awaitRest(product).path("sold").asInt()).isEqualTo(1);
    WebChecks.assertAccessible(page);
  }

  /** The server took the purchase, and its answer never arrived. */
  @Test
  void shouldAskAgainWithTheSameKeyWhenTheAnswerWasLost() {
    shop.openSale(product, 5);
    Page page = browser.page();
    List<String> keys = new ArrayList<>();
    page.route(
        "**/seckill/" + product,
        route -> {
          if (isPurchase(route)) {
            keys.add(route.request().headerValue("idempotency-key"));
            if (keys.size() == 1) {
              assertThat(route.fetch().status()).isEqualTo(202);
              route.abort();
              return;
            }
          }
          route.resume();
        });
    open(page);
    buy(page).click();
    assertThat(result(page)).containsText("The answer was lost");
    assertThat(result(page)).containsText("Yours! Order");
    assertThat(keys).hasSize(2);
    assertThat(keys.get(0)).isEqualTo(keys.get(1)).hasSize(32);
    assertThat(shop.awaitRest(product).path("sold").asInt()).isEqualTo(1);
    browser.forget(); // the lost answer
  }

  @Test
  void shouldGoOnWithTheSameKeyAfterAReloadInMidPurchase() {
    shop.openSale(product, 5);
    Page page = browser.page();
    List<String> keys = new ArrayList<>();
    page.route(
        "**/seckill/" + product,
        route -> {
          if (isPurchase(route)) {
            keys.add(route.request().headerValue("idempotency-key"));
            if (keys.size() == 1) {
              return; // no answer, until the page is left
            }
          }
          route.resume();
        });
    open(page);
    buy(page).click();
    page.waitForCondition(() -> keys.size() == 1);
    page.reload();
    assertThat(result(page)).containsText("Yours! Order");
    assertThat(keys).hasSize(2);
    assertThat(keys.get(0)).isEqualTo(keys.get(1));
  }

  /** 503 and 429 come from the network's edge here; what follows is real. */
  @Test
  void shouldWaitAsLongAsItIsToldAndAskAgain() {
    shop.openSale(product, 5);
    Page page = browser.page();
    List<String> keys = new ArrayList<>();
    page.route(
        "**/seckill/" + product,
        route -> {
          if (isPurchase(route)) {
            keys.add(route.request().headerValue("idempotency-key"));
            if (keys.size() <= 2) {
              route.fulfill(refusal(keys.size() == 1 ? 429 : 503));
              return;
            }
          }
          route.resume();
        });
    open(page);
    buy(page).click();
    assertThat(result(page)).containsText("Too many buyers at once");
    assertThat(result(page)).containsText("Very busy. Asking again with the same key in");
    assertThat(result(page)).containsText("Yours! Order");
    assertThat(keys).hasSize(3).containsOnly(keys.get(0));
  }

  @Test
  void shouldSayWhyABuyerIsRefused() {
    shop.openSale(product, 1);
    Page page = open(browser.page());
    shop.admin("POST", "/admin/sales/" + product + "/pause", null);
    assertThat(chip(page)).hasText("Paused");
    buy(page).click();
    assertThat(result(page)).hasText("The sale is paused. Try again in a moment.");

    shop.admin("POST", "/admin/sales/" + product + "/resume", null);
    assertThat(chip(page)).hasText("On sale");
    buy(page).click();
    assertThat(result(page)).containsText("Yours! Order");
    // the same buyer in another tab, which does not know the key
    page.evaluate("product => sessionStorage.removeItem(`key-${product}`)", "" + product);
    buy(page).click();
    assertThat(result(page)).hasText("You already have a purchase of this product.");

    page.getByText("Be another buyer").click();
    assertThat(chip(page)).hasText("Sold out");
    buy(page).click();
    assertThat(result(page)).containsText("Sold out.");

    shop.admin("POST", "/admin/sales/" + product + "/end", null);
    assertThat(chip(page)).hasText("Ended");
    assertThat(buy(page)).isDisabled();
  }

  @Test
  void shouldCountDownToTheStart() {
    Instant start = Instant.now().plusSeconds(90_061);
    shop.createSale(product, Map.of("name", "Phone", "stock", 3, "startsAt", start.toString()));
    Page page = open(browser.page());
    assertThat(chip(page)).hasText("Soon");
    assertThat(page.locator("#countdown")).hasText(Pattern.compile("starts in 1 d 01:0\\d:\\d\\d"));
    assertThat(buy(page)).isDisabled();
    WebChecks.assertAccessible(page);
  }

  @Test
  void shouldSayHowToCreateASale() {
    Page page = open(browser.page());
    assertThat(page.locator("#countdown")).containsText("Create one at /console");
    assertThat(buy(page)).isDisabled();
  }

  @Test
  void shouldSellOutToACrowd() {
    shop.openSale(product, 20);
    Page page = open(browser.page());
    page.locator("#size").fill("150");
    page.locator("#send").click();
    assertThat(page.locator("#crowd-result")).containsText("150 buyers have their answers");
    assertThat(page.locator("[data-outcome=SUCCESS] td").last()).hasText("20");
    assertThat(page.locator("[data-outcome=FAIL_SOLD_OUT] td").last()).hasText("130");
    assertThat(chip(page)).hasText("Sold out");
    assertThat(shop.awaitRest(product).path("sold").asInt()).isEqualTo(20);
  }

  @Test
  void shouldSpeakChineseOnANarrowScreenAtNight() {
    shop.openSale(product, 5);
    Page page =
        open(
            browser.page(
                new NewContextOptions()
                    .setViewportSize(390, 844)
                    .setLocale("zh-CN")
                    .setColorScheme(com.microsoft.playwright.options.ColorScheme.DARK)));
    assertThat(chip(page)).hasText("热卖中");
    buy(page).click();
    assertThat(result(page)).hasText(Pattern.compile("抢到了！订单号 \\d+。"));
    assertThat(page.locator("html")).hasAttribute("lang", "zh-CN");
    WebChecks.assertFits(page);
    WebChecks.assertAccessible(page);

    page.locator("#language").click();
    assertThat(result(page)).containsText("Yours! Order");
  }

  /**
   * Everything by mouse and keyboard: a sale is made, bought from, stopped, fed, emptied, closed.
   */
  @Test
  void shouldLetASaleBeRunFromTheConsoleAndSeenFromTheShop() {
    Page console = browser.page();
    console.navigate(application.baseUrl() + "/console");
    console.getByLabel("Admin token").click();
    console.keyboard().type(application.addresses().getProperty("seckill.admin.token"));
    console.keyboard().press("Enter");
    console.getByText("New sale").click();
    console.getByLabel("Product id").click();
    for (String value : List.of("" + product, "Phone", "3")) {
      console.keyboard().type(value);
      console.keyboard().press("Tab");
    }
    console.keyboard().press("Enter");
    assertThat(console.locator("h1")).containsText("Phone");
    Locator state = console.locator(".title .chip");
    assertThat(state).hasText("On sale");

    Page buyer = open(browser.page());
    buy(buyer).click();
    assertThat(result(buyer)).containsText("Yours! Order");
    assertThat(part(console, "sold")).hasText("1");
    assertThat(part(console, "available")).hasText("2");

    press(console, "Pause");
    assertThat(state).hasText("Paused");
    assertThat(console.locator("[data-buyer-sees=PAUSED]")).containsText("FAIL_PAUSED");
    assertThat(chip(buyer)).hasText("Paused");
    press(console, "Resume");
    assertThat(state).hasText("On sale");

    press(console, "Restock");
    console.getByLabel("Units to add").click();
    console.keyboard().type("17");
    console.keyboard().press("Enter");
    assertThat(console.getByText("The units are added.")).isVisible();
    assertThat(part(console, "available")).hasText("19");

    buyer.locator("#size").fill("100");
    buyer.locator("#send").click();
    assertThat(buyer.locator("[data-outcome=SUCCESS] td").last()).hasText("19");
    assertThat(buyer.locator("#crowd-result")).containsText("100 buyers have their answers");
    assertThat(state).hasText("Sold out");
    assertThat(part(console, "sold")).hasText("20");
    assertThat(console.locator("[data-balanced]")).hasAttribute("data-balanced", "true");
    assertThat(console.locator("ol.lines")).containsText("restocked");

    shop.awaitRest(product);
    confirm(console, "End");
    assertThat(state).hasText("Ended");
    assertThat(chip(buyer)).hasText("Ended");
    confirm(console, "Settle");
    assertThat(console.getByRole(AriaRole.DIALOG)).containsText("The sale is settled.");
    console.keyboard().press("Escape");
    assertThat(state).hasText("Settled");
  }

  private static void press(Page console, String act) {
    console
        .getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(act).setExact(true))
        .first()
        .click();
  }

  private void confirm(Page console, String act) {
    press(console, act);
    console.getByLabel("Type the product id").click();
    console.keyboard().type("" + product);
    console.keyboard().press("Enter");
  }

  private static Locator part(Page console, String name) {
    return console.locator("[data-part=" + name + "] b");
  }

  private Page open(Page page) {
    page.navigate(application.baseUrl() + "/demo?product=" + product);
    return page;
  }

  private static Locator buy(Page page) {
    return page.locator("#buy");
  }

  private static Locator result(Page page) {
    return page.locator("#result");
  }

  private static Locator chip(Page page) {
    return page.locator("#state");
  }

  private static boolean isPurchase(Route route) {
    return route.request().method().equals("POST");
  }

  private static Route.FulfillOptions refusal(int status) {
    return new Route.FulfillOptions()
        .setStatus(status)
        .setHeaders(Map.of("Retry-After", "2"))
        .setContentType("application/problem+json")
        .setBody("{\"status\":" + status + "}");
  }
}
