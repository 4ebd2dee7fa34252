package io.seckill.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.seckill.domain.RequestId;
import io.seckill.testing.Browser;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The console in a real browser. {@link ShopPageIT} has the whole life of a sale. */
class ConsoleIT {
  private static final int WAIT_MILLIS = 30_000;
  private static final List<String> VIEWS = List.of("letters", "rates", "orders", "audit");

  private static Browser browser;
  private static TestApplication application;
  private static Shop shop;

  private final TestServers servers = TestServers.get();
  private final long product = Products.next();

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.launch();
    PlaywrightAssertions.setDefaultAssertionTimeout(WAIT_MILLIS);
    application =
        TestApplication.start(
                Map.of(
                    "seckill.admin.tokens",
                    "li:view:" + sha256("li's") + ",wang:operate:" + sha256("wang's")))
            .awaitReady();
    shop = application.shop();
  }

  private static String sha256(String token) throws Exception {
    return HexFormat.of()
        .formatHex(
            MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
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
  void shouldAskForATokenAndForgetItWithThePage() {
    Page page = browser.page();
    page.navigate(application.baseUrl() + "/console");
    WebChecks.assertAccessible(page);
    page.getByLabel("Admin token").fill("not it");
    page.keyboard().press("Enter");
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("The token is not valid.");
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("UNAUTHENTICATED");

    page.getByLabel("Admin token").fill(application.adminToken());
    page.keyboard().press("Enter");
    assertThat(page.getByText("live", exactlyText())).isVisible();
    assertThat(page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])"))
        .asString()
        .doesNotContain(application.adminToken());
    page.reload();
    assertThat(page.getByLabel("Admin token")).isVisible();
  }

  @Test
  void shouldOfferOnlyWhatTheRoleAllowsAndSayWhy() {
    shop.openSale(product, 5);
    Page viewer = sale("li's");
    for (String act : List.of("Pause", "Restock", "Change", "Rebuild", "End")) {
      assertThat(button(viewer, act)).isDisabled();
    }
    assertThat(button(viewer, "Pause")).hasAttribute("title", Pattern.compile("“operate”"));
    viewer.navigate(application.baseUrl() + "/console#/sales");
    assertThat(button(viewer, "New sale")).isDisabled();

    Page operator = sale("wang's");
    assertThat(button(operator, "Pause")).isEnabled();
    assertThat(button(operator, "Restock")).isEnabled();
    assertThat(button(operator, "End")).isDisabled();
    assertThat(button(operator, "End")).hasAttribute("title", Pattern.compile("“admin”"));
  }

  @Test
  void shouldSayInPlainWordsWhyACallIsRefused() {
    shop.openSale(product, 5);
    shop.buy(product, 1);
    Page page = signedIn(application.adminToken());
    page.getByRole(AriaRole.LINK, named("New sale")).click();
    page.getByLabel("Product id").fill("" + product);
    page.getByLabel("Name").fill("Again");
    page.getByLabel("Stock", exactly()).fill("7");
    button(page, "Create").click();
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("Units are reserved already");
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("TERMS_FIXED");
  }

  @Test
  void shouldShowTheTimeInUtcBesideTheLocalTime() {
    Page page =
        signIn(
            application.adminToken(),
            new NewContextOptions().setLocale("en-US").setTimezoneId("Asia/Shanghai"));
    page.getByRole(AriaRole.LINK, named("New sale")).click();
    page.getByLabel("Starts (Asia/Shanghai)").fill("2036-05-01T20:00");
    assertThat(page.getByText("2036-05-01 12:00:00 UTC")).isVisible();
    page.getByLabel("Product id").fill("" + product);
    page.getByLabel("Name").fill("Phone");
    page.getByLabel("Stock", exactly()).fill("3");
    page.keyboard().press("Enter");
    assertThat(chip(page)).hasText("Scheduled");
    assertThat(shop.sale(product).member("startsAt")).isEqualTo("2036-05-01T12:00:00Z");

    button(page, "Change").click();
    assertThat(page.getByLabel("Starts (Asia/Shanghai)")).hasValue("2036-05-01T20:00");
    page.locator("dialog [name=rate]").fill("20");
    button(page, "Save").click();
    assertThat(page.getByText("The terms are changed.")).isVisible();
    assertThat(shop.admin("GET", "/admin/sales", null).json().path("sales"))
        .anySatisfy(
            sale -> {
              assertThat(sale.path("productId").asLong()).isEqualTo(product);
              assertThat(sale.path("ratePerSecond").asInt()).isEqualTo(20);
              assertThat(sale.path("startsAt").asText()).isEqualTo("2036-05-01T12:00:00Z");
            });
  }

  @Test
  void shouldRestockOnceForOneFormHoweverOftenItIsSent() {
    shop.openSale(product, 5);
    Page page = sale(application.adminToken());
    AtomicInteger sent = new AtomicInteger();
    page.route(
        "**/restock",
        route -> {
          if (sent.getAndIncrement() == 0) {
            route.fetch(); // the units are added, and nobody hears of it
            route.abort();
          } else {
            route.resume();
          }
        });
    button(page, "Restock").click();
    page.getByLabel("Units to add").fill("7");
    Locator submit = page.getByRole(AriaRole.DIALOG).getByRole(AriaRole.BUTTON, in("Restock"));
    submit.click();
    assertThat(page.getByRole(AriaRole.ALERT).last()).containsText("The server does not answer.");
    submit.dblclick();
    assertThat(page.getByText("The units are added.")).isVisible();
    assertThat(part(page, "available")).hasText("12");
    assertThat(shop.ledger(product).path("restocked").asInt()).isEqualTo(7);
    browser.forget(); // the lost answer
  }

  @Test
  void shouldShowADryRunAndAskForTheProductIdBeforeARebuild() {
    shop.openSale(product, 5);
    shop.buy(product, 1);
    shop.awaitRest(product);
    Page page = sale(application.adminToken());
    button(page, "Rebuild").click();
    button(page, "Show what would change").click();
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog).containsText("Discrepancies: 0");
    Locator rebuild = dialog.getByRole(AriaRole.BUTTON, in("Rebuild"));
    assertThat(rebuild).isDisabled();
    page.getByLabel("Type the product id").fill("1");
    assertThat(rebuild).isDisabled();
    page.getByLabel("Type the product id").fill("" + product);
    rebuild.click();
    assertThat(dialog).containsText("The book is rebuilt.");
    assertThat(shop.ledger(product).path("epoch").asInt()).isEqualTo(2);
  }

  @Test
  void shouldCompensateManyDeadLettersOfOneProduct() {
    shop.openSale(product, 5);
    for (long user : new long[] {1, 2}) {
      servers.reserve(product, user);
      deadLetter(user);
    }
    Page page = signedIn("wang's");
    page.getByRole(AriaRole.LINK, named("Dead letters")).click();
    Locator letters = page.locator("li.letter").filter(containing("Product " + product));
    assertThat(letters).hasCount(2);
    letters.first().getByText("Payload").click();
    assertThat(letters.first().locator("pre")).containsText("\"productId\":" + product);
    letters.nth(0).getByRole(AriaRole.CHECKBOX).check();
    letters.nth(1).getByRole(AriaRole.CHECKBOX).check();
    button(page, "Compensate").click();
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog).containsText("Ends 2 orders as failed.");
    page.getByLabel("Type the product id").fill("" + product);
    page.keyboard().press("Enter");
    assertThat(dialog.getByText("compensated")).hasCount(2);
    assertThat(shop.awaitRest(product).path("available").asInt()).isEqualTo(5);
  }

  @Test
  void shouldShowAnOrdersWayAndWhoDidWhat() {
    shop.openSale(product, 5);
    String requestId = shop.buy(product, 77).requestId();
    shop.awaitEnd(77, requestId);
    Page page = sale("wang's");
    button(page, "Pause").click();
    assertThat(page.locator("[data-buyer-sees=PAUSED]")).containsText("FAIL_PAUSED");

    page.getByRole(AriaRole.LINK, named("Orders")).click();
    page.getByLabel("User id").fill("77");
    page.getByLabel("Product id").fill("" + product);
    page.keyboard().press("Enter");
    assertThat(page.locator("article")).containsText(requestId);
    assertThat(page.locator("ol.way")).containsText("Reserved in Redis");
    assertThat(page.locator("ol.way")).containsText("Written to MySQL");
    WebChecks.assertAccessible(page);

    page.getByRole(AriaRole.LINK, named("Audit")).click();
    // the page of orders, which is still there for a moment, has a field of the same label
    page.locator("[name=auditProduct]").fill("" + product);
    page.keyboard().press("Enter");
    assertThat(page.locator("tbody tr")).hasCount(2);
    assertThat(page.locator("tbody tr").first()).containsText("Pause");
    assertThat(page.locator("tbody tr").first()).containsText("wang");
  }

  @Test
  void shouldSetRatesWhileSalesGoOn() {
    long activity = product;
    Page page = signedIn("wang's");
    page.getByRole(AriaRole.LINK, named("Rates")).click();
    page.locator("[name=activityId]").fill("" + activity);
    page.locator("[name=activityRate]").fill("500");
    page.keyboard().press("Enter");
    assertThat(page.getByText("Saved for activity " + activity)).isVisible();
    assertThat(page.locator("tbody tr").filter(containing("" + activity))).containsText("500");
  }

  @ParameterizedTest
  @EnumSource(
      value = ColorScheme.class,
      names = {"LIGHT", "DARK"})
  void shouldBeReadableByAllInBothColourSchemes(ColorScheme scheme) {
    shop.openSale(product, 5);
    shop.buy(product, 1);
    Page page =
        signIn(
            application.adminToken(),
            new NewContextOptions().setLocale("en-US").setColorScheme(scheme));
    assertThat(search(page)).hasCount(1);
    WebChecks.assertAccessible(page);
    search(page).getByRole(AriaRole.LINK).click();
    assertThat(part(page, "available")).hasText("4");
    WebChecks.assertAccessible(page);
    for (String act : List.of("Restock", "Change", "Rebuild", "End")) {
      button(page, act).click();
      WebChecks.assertAccessible(page);
      page.keyboard().press("Escape");
      assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
      assertThat(button(page, act)).isFocused();
    }
    for (String view : VIEWS) {
      page.navigate(application.baseUrl() + "/console#/" + view);
      assertThat(page.locator("nav [aria-current]")).hasAttribute("href", "#/" + view);
      WebChecks.assertAccessible(page);
    }
  }

  @Test
  void shouldFitAPhoneAndSpeakChinese() {
    shop.openSale(product, 5);
    Page page =
        signIn(
            application.adminToken(),
            new NewContextOptions().setLocale("zh-CN").setViewportSize(390, 844));
    assertThat(search(page)).containsText("热卖中");
    WebChecks.assertFits(page);
    search(page).getByRole(AriaRole.LINK).click();
    assertThat(page.locator("[data-balanced=true]")).containsText("账目平衡");
    button(page, "暂停").click();
    assertThat(page.getByText("活动已暂停。买家所见请看下方。")).isVisible();
    assertThat(chip(page)).hasText("已暂停");
    WebChecks.assertFits(page);
    for (String view : VIEWS) {
      page.navigate(application.baseUrl() + "/console#/" + view);
      assertThat(page.locator("nav [aria-current]")).hasAttribute("href", "#/" + view);
      WebChecks.assertFits(page);
    }
    assertThat(page.locator("html")).hasAttribute("lang", "zh-CN");
    button(page, "English").click();
    assertThat(page.locator("h1")).hasText("Audit");
  }

  private static Page signedIn(String token) {
    return signIn(token, new NewContextOptions().setLocale("en-US").setViewportSize(1280, 800));
  }

  private static Page signIn(String token, NewContextOptions options) {
    Page page = browser.page(options);
    page.navigate(application.baseUrl() + "/console");
    page.locator("[name=token]").fill(token);
    page.keyboard().press("Enter");
    assertThat(page.locator("header .chip.good")).isVisible();
    return page;
  }

  /** The page of this test's sale, once the stream has told of it. */
  private Page sale(String token) {
    Page page = signedIn(token);
    page.navigate(application.baseUrl() + "/console#/sales/" + product);
    assertThat(page.locator("[data-balanced=true]")).isVisible();
    return page;
  }

  /** The row of this test's sale, alone. */
  private Locator search(Page page) {
    page.locator("[type=search]").fill("" + product);
    return page.locator("tbody tr").filter(containing("#" + product));
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(startingWith(name)));
  }

  /** A disabled button's name goes on with the reason. */
  private static Pattern startingWith(String name) {
    return Pattern.compile("^" + name + "( \\(|$)");
  }

  private static Locator chip(Page page) {
    return page.locator(".title .chip");
  }

  private static Locator part(Page page, String name) {
    return page.locator("[data-part=" + name + "] b");
  }

  private static Page.GetByTextOptions exactlyText() {
    return new Page.GetByTextOptions().setExact(true);
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name);
  }

  private static Locator.GetByRoleOptions in(String name) {
    return new Locator.GetByRoleOptions().setName(name);
  }

  private static Page.GetByLabelOptions exactly() {
    return new Page.GetByLabelOptions().setExact(true);
  }

  private static Locator.FilterOptions containing(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  private String requestId(long user) {
    return RequestId.of(product, user, "k").toString();
  }

  private void deadLetter(long user) {
    String order =
        ("{\"v\":1,\"requestId\":\"%s\",\"productId\":%d,\"userId\":%d,\"quantity\":1,"
                + "\"idemKey\":\"k\",\"epoch\":1,\"outboxId\":\"9999999999999-1\",\"resent\":0}")
            .formatted(requestId(user), product, user);
    servers.update(
        "INSERT INTO dead_letters (origin, request_id, product_id, user_id, payload, cause,"
            + " attempts, state, parked_until, created_at, updated_at)"
            + " VALUES (?, ?, ?, ?, ?, 'a test', 1, 'PARKED', ?, 1, 1)",
        "console-" + product + "@" + user,
        requestId(user),
        product,
        user,
        order.getBytes(StandardCharsets.UTF_8),
        System.currentTimeMillis() + 86_400_000L);
  }
}
