package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Checkout;
import io.seckill.testing.Shop;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's command, in a copy of the checkout. */
class CamelRunIT {
  @TempDir private Path directory;

  @Test
  void shouldSellInMinimalMode() throws Exception {
    Checkout checkout = Checkout.in(directory);
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
    }
  }

  private static void assertSells(Shop shop) {
    assertThat(shop.createSale(1001, 2).status()).isEqualTo(201);
    Shop.Reply reply = shop.buy(1001, 7, "my-first-try");
    assertThat(reply.status()).as(reply.text()).isEqualTo(202);
    assertThat(shop.awaitEnd(7, reply.requestId())).isEqualTo("SUCCESS");
  }
}
