package io.seckill.bench.run;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** One of those who compete: a process that answers the HTTP contract, and its namespace. */
interface Contender extends AutoCloseable {
  /** Short, as tables show it. */
  String name();

  /** Ports of its instances, most have one. */
  List<Integer> ports();

  List<JavaProcess> processes();

  Backends backends();

  Traits traits();

  /** Starts sales that are open from now on; returns when the contender sells them. */
  void openSales(long firstProduct, int products, long stock)
      throws IOException, InterruptedException, SQLException;

  @Override
  void close() throws SQLException;

  /**
   * What it does with a purchase.
   *
   * @param books it keeps its stock in Redis
   * @param persists its reservations become orders
   * @param accepts the status of a purchase that it takes
   */
  record Traits(boolean books, boolean persists, int accepts) {}
}
