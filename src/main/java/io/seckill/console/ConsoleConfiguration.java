package io.seckill.console;

import io.seckill.book.AdmissionGuard;
import io.seckill.http.EventLoopHttpServerFactory;
import io.seckill.http.EventStreams;
import io.seckill.http.RequestDispatcher;
import io.seckill.metrics.SeckillMetrics;
import io.seckill.minimal.OrderQueue;
import io.seckill.recovery.BookWatch;
import io.seckill.recovery.LedgerWatch;
import io.seckill.recovery.WatchMetrics;
import io.seckill.sale.SaleClock;
import io.seckill.sale.SaleRegistry;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.function.Supplier;
import org.apache.camel.CamelConfiguration;
import org.apache.camel.CamelContext;
import org.apache.camel.PropertyInject;
import org.apache.camel.spi.Registry;

/** Makes the beans of the console's event stream. */
public class ConsoleConfiguration implements CamelConfiguration {
  /** Where the stream is. */
  public static final String PATH = "/admin/events";

  @PropertyInject("seckill.mode")
  private String mode;

  @PropertyInject("seckill.console.node")
  private String node;

  @PropertyInject("camel.server.port")
  private int port;

  @PropertyInject("seckill.console.max-streams")
  private int maxStreams;

  @PropertyInject("seckill.console.patience")
  private long patience;

  @PropertyInject("seckill.health.outbox-age")
  private long outboxAgeLimit;

  @Override
  public void configure(CamelContext context) {
    Registry registry = context.getRegistry();
    SaleRegistry sales = registry.lookupByNameAndType("saleRegistry", SaleRegistry.class);
    Console console =
        new Console(
            node.isBlank() ? hostName() + ":" + port : node,
            mode,
            new NodeReporter(
                context,
                registry.lookupByNameAndType("seckillMetrics", SeckillMetrics.class),
                sales),
            sales,
            registry.lookupByNameAndType("saleClock", SaleClock.class),
            books(registry, sales));
    EventStreams streams =
        new EventStreams(
            registry.lookupByNameAndType(
                EventLoopHttpServerFactory.DISPATCHER, RequestDispatcher.class),
            registry.lookupByNameAndType(EventLoopHttpServerFactory.VERTX, Vertx.class),
            PATH,
            maxStreams,
            patience,
            console::now);
    console.show(streams);
    registry.bind("console", console);
    registry.bind("eventStreams", streams, null, "close");
  }

  /** The watches are looked up late, because other configurations make them. */
  private Supplier<Books> books(Registry registry, SaleRegistry sales) {
    if (mode.equals("minimal")) {
      return () ->
          new MySqlStock(sales, registry.lookupByNameAndType("orderQueue", OrderQueue.class));
    }
    return () ->
        new RedisBooks(
            registry.lookupByNameAndType("bookWatch", BookWatch.class),
            registry.lookupByNameAndType("ledgerWatch", LedgerWatch.class),
            registry.lookupByNameAndType("admissionGuard", AdmissionGuard.class),
            registry.lookupByNameAndType("watchMetrics", WatchMetrics.class),
            outboxAgeLimit);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException noName) {
      return "node";
    }
  }
}
