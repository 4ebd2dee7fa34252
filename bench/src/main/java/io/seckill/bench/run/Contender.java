package io.seckill.bench.run;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** A contender: processes that answer the HTTP contract, and their data. */
interface Contender extends AutoCloseable {
  /** The name in tables and in the JSON. */
  String name();

  /** The HTTP port of each instance. */
  List<Integer> ports();

  List<JavaProcess> processes();

  Backends backends();

  Traits traits();

  /** Opens sales; returns when the contender sells them. */
  void openSales(long firstProduct, int products, long stock)
      throws IOException, InterruptedException, SQLException;

  @Override
  void close() throws SQLException;

  /**
   * How a contender handles purchases.
   *
   * @param books whether it keeps its stock in Redis
   * @param persists whether its reservations become orders
   * @param accepts the status of a purchase that it takes
   */
  record Traits(boolean books, boolean persists, int accepts) {}
}
