package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Checkout;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's command, in a copy of the checkout. */
class CamelRunIT {
  private static final int LINES = 40;

  @TempDir private static Path directory;

  private static Checkout checkout;

  @BeforeAll
  static void checkOut() throws IOException {
    checkout = Checkout.in(directory.resolve("checkout"));
  }

  @Test
  void shouldSellAndTellLittleOfAGoodStartAndStop() {
    try (ApplicationProcess application =
        ApplicationProcess.camelRun(checkout).start().awaitReady()) {
      List<String> lines =
          application
              .output()
              .lines()
              .filter(line -> !line.isBlank() && !line.contains("[INFO]"))
              .toList();
      assertThat(lines).hasSizeLessThan(LINES).noneMatch(CamelRunIT::tellsOfFault);
      assertThat(application.output())
          .contains("full, strategy A", application.managementUrl() + "/observe/health")
          .contains(application.baseUrl() + "/console", application.baseUrl() + "/demo")
          .contains(application.addresses().getProperty("seckill.admin.token") + ", in ")
          .doesNotContain("0.0.0.0");
      assertSells(application.shop());
      assertStopsWithoutFault(application);
    }
  }

  @Test
  void shouldSellInMinimalMode() {
    try (ApplicationProcess application =
        ApplicationProcess.camelRun(checkout, "-Dseckill.mode=minimal").start().awaitReady()) {
      assertThat(application.output()).contains("minimal, strategy B");
      assertThat(application.addresses().stringPropertyNames())
          .containsExactlyInAnyOrder(
              "seckill.mysql.url",
              "seckill.mysql.user",
              "seckill.mysql.password",
              "seckill.admin.token");
      assertSells(application.shop());
      assertStopsWithoutFault(application);
    }
  }

  private static void assertStopsWithoutFault(ApplicationProcess application) {
    application.terminate();
    assertThat(
            application
                .output()
                .lines()
                .dropWhile(line -> !line.contains("JVM shutdown hook triggered")))
        .noneMatch(CamelRunIT::tellsOfFault)
        .anyMatch(line -> line.endsWith(" shutdown"));
  }

  private static boolean tellsOfFault(String line) {
    return line.matches(".*(WARN|ERROR|Exception).*");
  }

  private static void assertSells(Shop shop) {
    long product = Products.next();
    assertThat(shop.createSale(product, 2).status()).isEqualTo(201);
    Shop.Reply reply = shop.buy(product, 7, "my-first-try");
    assertThat(reply.status()).as(reply.text()).isEqualTo(202);
    assertThat(shop.awaitEnd(7, reply.requestId())).isEqualTo("SUCCESS");
  }
}
