package io.seckill.api;

import io.seckill.testing.TestApplication;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Two nodes on tables and topics of their own, whose writers can be held, so that purchases stay
 * pending.
 */
record HeldNodes(String name, int redisDatabase, TestApplication first, TestApplication second)
    implements AutoCloseable {
  private static final String WRITER = "order-writer";

  /**
   * Starts them, and returns when both are ready.
   *
   * @param ofSecond properties of the second node alone
   */
  static HeldNodes start(String name, int redisDatabase, Map<String, String> ofSecond) {
    HeldNodes nodes =
        new HeldNodes(
            name,
            redisDatabase,
            node(name, redisDatabase, Map.of()),
            node(name, redisDatabase, ofSecond));
    nodes.first.awaitReady();
    nodes.second.awaitReady();
    return nodes;
  }

  private static TestApplication node(String name, int redisDatabase, Map<String, String> more) {
    Map<String, String> properties = new HashMap<>(more);
    properties.put("seckill.throttle.user-rate", "0");
    // a watch that restarts consumers must not take a writer that is stopping for one that gave up
    properties.put("seckill.kafka.consumers-interval", "3600000");
    return TestApplication.apart(name, redisDatabase, properties);
  }

  /** From here on orders are taken and not written. */
  void hold() throws Exception {
    for (TestApplication node : List.of(first, second)) {
      node.camelContext().getRouteController().stopRoute(WRITER);
    }
  }

  /** Orders are written again. */
  void write() throws Exception {
    for (TestApplication node : List.of(first, second)) {
      node.camelContext().getRouteController().startRoute(WRITER);
    }
  }

  /** Opens a sale of ten units on both nodes. */
  void openSale(long product) {
    first.shop().openSale(product, 10);
    second.shop().awaitAdmitting(product);
  }

  /** A further node that admits buyers to the sale, and whose writer is held. */
  TestApplication heldNode(long product, Map<String, String> properties) throws Exception {
    TestApplication third = node(name, redisDatabase, properties);
    third.awaitReady().shop().awaitAdmitting(product);
    third.camelContext().getRouteController().stopRoute(WRITER);
    return third;
  }

  @Override
  public void close() {
    second.close();
    first.close();
  }
}
