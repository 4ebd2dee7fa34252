package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisURI;
import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Health;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import io.seckill.testing.WorkingTree;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Live reload, in a copy of the checkout. */
class DevelopmentProfileIT {
  private static final String ROUTES = "src/main/routes/";
  private static final String LOOKUP = "/seckill/result?requestId=1-1-0123456789abcdef";

  @TempDir private Path directory;

  @Test
  void shouldTakeUpRoutesThatAreSavedWhileItRuns() throws Exception {
    WorkingTree tree = new WorkingTree(directory);
    try (ApplicationProcess application = start(tree, "full")) {
      tree.save(ROUTES + "common/greeting.camel.yaml", greeting("first"));
      awaitOutput(application, "said the first");

      saveAgain(tree, "minimal/minimal-order-api");
      tree.save(ROUTES + "common/greeting.camel.yaml", greeting("second"));
      awaitOutput(application, "said the second");

      saveAgain(tree, "common/order-writer-batch");
      awaitOutput(application, "order-writer-batch.camel.yaml: [order-writer-batch");
      saveAgain(tree, "common/errors");
      saveAgain(tree, "full/result-api");
      awaitOutput(application, "result-api.camel.yaml: [result-api");
      assertThat(application.shop().get(LOOKUP, 1).code()).isEqualTo("UNKNOWN_REQUEST");
      assertThat(application.output()).doesNotContain("is not taken", "minimal-");
    }
  }

  @Test
  void shouldShowNoSecretInItsListOfOptions() throws Exception {
    String password =
        RedisURI.create(TestServers.get().redisUri())
            .getCredentialsProvider()
            .resolveCredentials()
            .map(login -> new String(login.getPassword()))
            .block();
    assumeThat(password).as("The Redis of the tests asks for no password").isNotBlank();
    try (ApplicationProcess application = start(new WorkingTree(directory), "full")) {
      assertThat(application.output())
          .contains("Property-placeholders summary", "seckill.redis.uri = xxxxxx")
          .contains("seckill.redis.uri      redis://***@127.0.0.1:")
          .doesNotContain(
              password,
              TestServers.get().properties().get("seckill.mysql.password"),
              "PlainLoginModule",
              "test-admin-token");
    }
  }

  @Test
  void shouldLeaveOutTheRoutesOfFullModeInMinimalMode() throws Exception {
    WorkingTree tree = new WorkingTree(directory);
    try (ApplicationProcess application = start(tree, "minimal")) {
      saveAgain(tree, "full/result-api");
      saveAgain(tree, "minimal/minimal-result-api");
      awaitOutput(application, "minimal-result-api.camel.yaml: [minimal-result-api");

      assertThat(application.shop().get(LOOKUP, 1).code()).isEqualTo("UNKNOWN_REQUEST");
      assertThat(application.output()).doesNotContain("is not taken", "/result-api.camel.yaml");
    }
  }

  @Test
  void shouldGoOnWithWhatWasThereBeforeWhenASavedFileCannotRun() throws Exception {
    WorkingTree tree = new WorkingTree(directory);
    String orders = ROUTES + "full/order-api.camel.yaml";
    long product = Products.next();
    try (ApplicationProcess application = start(tree, "full")) {
      Shop shop = application.shop();
      assertThat(shop.createSale(product, 10).status()).isEqualTo(201);
      String good = tree.read(orders);

      tree.edit(orders, "ref: identifyBuyer", "ref: noSuchBean");
      awaitDown(application, "order-api.camel.yaml is not taken: ", "noSuchBean");
      assertThat(shop.buy(product, 1).status()).isEqualTo(202);

      tree.save(orders, good.replace("redis-script:reserve", "no-such-component:reserve"));
      awaitDown(application, "order-api.camel.yaml is not taken: ", "no-such-component");
      assertThat(shop.buy(product, 2).status()).isEqualTo(202);

      tree.save(orders, "- route: [");
      awaitDown(application, "order-api.camel.yaml is not taken: ", "flow node");
      assertThat(shop.buy(product, 3).status()).isEqualTo(202);

      tree.save(orders, good);
      awaitUp(application);
      assertThat(shop.buy(product, 4).status()).isEqualTo(202);
    }
  }

  @Test
  void shouldEndTheRoutesOfAFileThatIsDeletedAndStartThemWhenItIsBack() throws Exception {
    WorkingTree tree = new WorkingTree(directory);
    String file = ROUTES + "full/result-api.camel.yaml";
    try (ApplicationProcess application = start(tree, "full")) {
      String text = tree.read(file);
      tree.delete(file);
      await()
          .atMost(30, TimeUnit.SECONDS)
          .until(() -> !"UNKNOWN_REQUEST".equals(application.shop().get(LOOKUP, 1).code()));

      tree.save(file, text);
      await()
          .atMost(30, TimeUnit.SECONDS)
          .until(() -> "UNKNOWN_REQUEST".equals(application.shop().get(LOOKUP, 1).code()));
    }
  }

  @Test
  void shouldReadStatementsAndScriptsFromTheWorkingTree() throws Exception {
    WorkingTree tree = new WorkingTree(directory);
    long product = Products.next();
    tree.edit("sql/admin-sales.sql", "p.name,", "CONCAT(p.name, ' at start') AS name,");
    try (ApplicationProcess application = start(tree, "full")) {
      Shop shop = application.shop();
      assertThat(shop.createSale(product, 10).status()).isEqualTo(201);
      assertThat(shop.admin("GET", "/admin/sales", null).text()).contains(" at start");

      tree.edit("sql/admin-sales.sql", "at start", "while it runs");
      await()
          .atMost(30, TimeUnit.SECONDS)
          .until(() -> shop.admin("GET", "/admin/sales", null).text().contains(" while it runs"));

      String good = tree.read("lua/reserve.lua");
      tree.save("lua/reserve.lua", good + "end end");
      awaitDown(application, "reserve.lua is not taken: ", "compil");
      assertThat(shop.buy(product, 1).status()).isEqualTo(202);

      tree.edit("lua/reserve.lua", "end end", "");
      tree.save("lua/reserve.lua", good.replace("if quantity > maxQuantity", "if true"));
      awaitUp(application);
      await()
          .atMost(30, TimeUnit.SECONDS)
          .until(() -> "FAIL_LIMIT".equals(shop.buy(product, 2).code()));
    }
  }

  private static ApplicationProcess start(WorkingTree tree, String mode) {
    Map<String, String> properties =
        new LinkedHashMap<>(TestApplication.apart("development" + mode, 14));
    properties.put("seckill.mode", mode);
    return tree.start(properties);
  }

  private static void saveAgain(WorkingTree tree, String stem) {
    String file = ROUTES + stem + ".camel.yaml";
    tree.save(file, tree.read(file) + "# saved again\n");
  }

  private static String greeting(String text) {
    return """
        - route:
            id: greeting
            from:
              uri: timer:greeting
              parameters:
                delay: 0
                repeatCount: 1
              steps:
                - log: said the %1$s
        - route:
            id: greeting-more
            from:
              uri: direct:%1$s
              steps:
                - stop: {}
        """
        .formatted(text);
  }

  private static void awaitOutput(ApplicationProcess application, String text) {
    await(text).atMost(60, TimeUnit.SECONDS).until(() -> application.output().contains(text));
  }

  private static void awaitDown(ApplicationProcess application, String... reasons) {
    await()
        .atMost(30, TimeUnit.SECONDS)
        .untilAsserted(
            () ->
                assertThat(Health.message(application.managementUrl(), "live-reload"))
                    .contains(reasons)
                    .doesNotContain("\n"));
    assertThat(Health.check(application.managementUrl(), "live-reload")).isEqualTo("DOWN");
  }

  private static void awaitUp(ApplicationProcess application) {
    Health.awaitUp(application.managementUrl(), "live-reload");
  }
}
