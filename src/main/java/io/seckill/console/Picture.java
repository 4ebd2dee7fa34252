package io.seckill.console;

import io.seckill.console.Overview.Happening;
import io.seckill.console.Overview.SaleView;
import io.seckill.http.EventStreams;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The events of one second. Each is written once, however many read it. Thread-safe. */
final class Picture implements EventStreams.Events {
  private static final long NONE = 0;

  private final Overview overview;
  private final Map<Long, SaleView> sales;
  private final List<Happening> happened;
  private final Map<Long, Buffer> first = new ConcurrentHashMap<>();
  private final Map<Long, Buffer> next = new ConcurrentHashMap<>();

  /**
   * @param overview what changed since the picture before
   * @param sales all sales
   * @param happened what happened lately
   */
  Picture(Overview overview, Map<Long, SaleView> sales, List<Happening> happened) {
    this.overview = overview;
    this.sales = sales;
    this.happened = happened;
  }

  @Override
  public Buffer first(long productId) {
    Buffer all = first.computeIfAbsent(NONE, any -> event("overview", complete()));
    return productId == NONE ? all : first.computeIfAbsent(productId, id -> withSale(all, id));
  }

  @Override
  public Buffer next(long productId) {
    Buffer changes = next.computeIfAbsent(NONE, any -> event("overview", overview));
    return productId == NONE
        ? changes
        : next.computeIfAbsent(productId, id -> withSale(changes, id));
  }

  private Overview complete() {
    return new Overview(
        overview.time(),
        overview.mode(),
        overview.node(),
        true,
        overview.nodes(),
        List.copyOf(sales.values()),
        overview.attention(),
        overview.flow(),
        happened);
  }

  private Buffer withSale(Buffer events, long productId) {
    SaleView sale = sales.get(productId);
    return sale == null ? events : events.copy().appendBuffer(event("sale", sale));
  }

  private static Buffer event(String name, Object data) {
    return Buffer.buffer("event: " + name + "\ndata: " + Console.json(data) + "\n\n");
  }
}
