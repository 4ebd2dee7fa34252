package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.seckill.drill.lab.Sentinel;
import io.seckill.embedded.RedisServer;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A group of Redis servers with a real Sentinel, which fails over to a replica that is behind. */
class SentinelFailoverIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final long productId = Products.next();
  private Shop shop;

  @Test
  void shouldSellNoUnitTwiceWhenTheReplicaThatTakesOverLacksWhatWasSold() throws Exception {
    try (OwnServers servers = OwnServers.start();
        Replica replica = Replica.of(servers);
        Sentinel sentinel =
            Sentinel.start(
                Files.createTempDirectory(Path.of("target", "recovery"), "sentinel"),
                servers.redis(),
                servers.redisFiles());
        TestApplication node = servers.application(Map.of("seckill.redis.uri", sentinel.uri()))) {
      shop = node.shop();
      shop.openSale(productId, 3);
      assertThat(shop.buyOnceOpen(productId, 1, "k").status()).isEqualTo(202);
      servers.awaitSold(shop, productId, 1);
      replica.awaitSame(servers);

      replica.fallBehind(servers);
      assertThat(shop.buyOnceOpen(productId, 2, "k").status()).isEqualTo(202);
      servers.awaitSold(shop, productId, 2);
      servers.redis().stopHard();

      await("the replica is the master")
          .atMost(LIMIT)
          .until(() -> replica.tells("replication").contains("role:master"));
      await()
          .atMost(LIMIT)
          .ignoreExceptions()
          .until(() -> "REBUILD_REQUIRED".equals(listed().path("admission").asText()));
      assertThat(shop.buy(productId, 3, "k").status()).isEqualTo(503);
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  shop.admin("POST", "/admin/sales/" + productId + "/rebuild", null).status()
                      == 200);
      assertThat(shop.buyOnceOpen(productId, 3, "k").status()).isEqualTo(202);
      assertThat(shop.buyOnceOpen(productId, 4, "k").code()).isEqualTo("FAIL_SOLD_OUT");
      servers.awaitSold(shop, productId, 3);
      assertThat(shop.result(2, "k", productId).member("status")).isEqualTo("SUCCESS");
    }
  }

  private JsonNode listed() {
    for (JsonNode sale : shop.admin("GET", "/admin/sales", null).json().path("sales")) {
      if (sale.path("productId").asLong() == productId) {
        return sale;
      }
    }
    throw new AssertionError("not listed");
  }

  /** A replica of the servers' Redis. */
  private record Replica(RedisServer server) implements AutoCloseable {
    static Replica of(OwnServers servers) throws IOException {
      Path folder = Files.createTempDirectory(Path.of("target", "recovery"), "replica");
      Files.copy(servers.redisFiles().resolve("password"), folder.resolve("password"));
      RedisServer server =
          new RedisServer(
              folder,
              0,
              List.of(
                  "masterauth " + servers.redis().password(),
                  "replicaof 127.0.0.1 " + servers.redis().port(),
                  ""));
      Replica replica = new Replica(server);
      server.start();
      Runtime.getRuntime().addShutdownHook(new Thread(server::stopHard));
      return replica;
    }

    void awaitSame(OwnServers servers) {
      await("the replica has it all")
          .atMost(LIMIT)
          .until(
              () ->
                  tells("replication").contains("master_link_status:up")
                      && offset("slave_repl_offset", tells("replication"))
                          >= offset("master_repl_offset", servers.commands().info("replication")));
    }

    private static long offset(String name, String info) {
      return info.lines()
          .filter(line -> line.startsWith(name + ":"))
          .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
          .findFirst()
          .orElse(-1);
    }

    /** From here on it gets nothing: it cannot log in to the master any more. */
    void fallBehind(OwnServers servers) {
      on(redis -> redis.configSet("masterauth", "wrong"));
      servers.commands().clientKill(KillArgs.Builder.typeSlave());
      await("the replica is cut off")
          .atMost(LIMIT)
          .until(() -> tells("replication").contains("master_link_status:down"));
    }

    String tells(String section) {
      String[] text = {""};
      on(redis -> text[0] = redis.info(section));
      return text[0];
    }

    private void on(Consumer<RedisCommands<String, String>> step) {
      RedisClient client = RedisClient.create(server.uri());
      try (StatefulRedisConnection<String, String> connection = client.connect()) {
        step.accept(connection.sync());
      } finally {
        client.shutdown();
      }
    }

    @Override
    public void close() {
      server.stop();
    }
  }
}
