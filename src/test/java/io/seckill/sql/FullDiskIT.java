package io.seckill.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.embedded.MariaDbServer;
import io.seckill.testing.Health;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.SmallDisk;
import io.seckill.testing.TestApplication;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A MySQL whose disk is full in the middle of a sale, and later has room again. */
class FullDiskIT {
  private static final int REDIS_DATABASE = 13;
  private static final int LIMIT_SECONDS = 120;
  private static final int STOCK = 100_000;

  private final long product = Products.next();

  @Test
  void shouldKeepOrdersUntilThereIsRoomAgain() throws Exception {
    try (SmallDisk disk = SmallDisk.of("440m")) {
      MariaDbServer mysql = new MariaDbServer(disk.point().resolve("mariadb"), 0);
      mysql.start();
      try (TestApplication application =
          TestApplication.apart(
              "fulldisk",
              REDIS_DATABASE,
              Map.of(
                  "seckill.mysql.url", mysql.url(),
                  "seckill.mysql.user", mysql.user(),
                  "seckill.mysql.password", mysql.password()))) {
        shouldKeepOrders(application.awaitReady(), disk);
      } finally {
        mysql.stop();
      }
    }
  }

  private void shouldKeepOrders(TestApplication application, SmallDisk disk) throws Exception {
    Shop shop = application.shop();
    assertThat(shop.createSale(product, STOCK).status()).isEqualTo(201);
    assertThat(shop.awaitEnd(1, shop.buy(product, 1).requestId())).isEqualTo("SUCCESS");
    disk.fill();

    List<String> accepted = new ArrayList<>();
    await("MySQL's tables are full")
        .atMost(LIMIT_SECONDS, TimeUnit.SECONDS)
        .until(
            () -> {
              Shop.Reply reply = shop.buy(product, 100 + accepted.size());
              assertThat(reply.status()).as(reply.text()).isEqualTo(202);
              accepted.add(reply.requestId());
              return Health.message(application.managementUrl(), "mysql");
            },
            message -> message.contains("MySQL has no room left on its disk"));
    assertThat(Health.check(application.managementUrl(), "mysql")).isEqualTo("DOWN");
    assertThat(Health.of(application.managementUrl()).statusCode()).as("ready").isEqualTo(200);

    disk.free();
    for (int i = 0; i < accepted.size(); i++) {
      assertThat(shop.awaitEnd(100 + i, accepted.get(i))).isEqualTo("SUCCESS");
    }
    Health.awaitUp(application.managementUrl(), "mysql");
    assertThat(shop.awaitRest(product).path("balanced").asBoolean()).isTrue();
    assertThat(shop.admin("GET", "/admin/dead-letters", null).json().findValues("requestId"))
        .isEmpty();
  }
}
