package io.seckill.http;

import io.seckill.ops.SeckillMetrics;
import io.seckill.order.OrderQueue;
import io.seckill.order.RecentAdmissions;
import io.seckill.rate.Rates;
import io.seckill.redis.AdmissionGuard;
import io.seckill.sale.SaleRegistry;
import io.seckill.sale.SoldOutGate;
import java.time.Clock;
import java.time.Duration;
import org.apache.camel.CamelConfiguration;
import org.apache.camel.CamelContext;
import org.apache.camel.PropertyInject;
import org.apache.camel.component.platform.http.PlatformHttpConstants;
import org.apache.camel.spi.Registry;

/**
 * Beans of the HTTP side: the server's two engines and the steps of the event-loop routes. They are
 * bound once the beans of all other packages are there.
 */
public class HttpConfiguration implements CamelConfiguration {
  private static final Duration MISS_MEMORY = Duration.ofSeconds(1);
  private static final int MISSES_REMEMBERED = 100_000;

  @PropertyInject("camel.server.port")
  private int port;

  @PropertyInject("camel.server.maxBodySize")
  private int maxBodySize;

  @PropertyInject("seckill.outbox.max-length")
  private long outboxLimit;

  @PropertyInject("seckill.throttle.trusted-proxies")
  private int trustedProxies;

  @PropertyInject("seckill.throttle.forwarded-header")
  private String forwardedHeader;

  @Override
  public void configure(CamelContext context) throws Exception {
    Registry registry = context.getRegistry();
    bindEngines(registry);
    bindSteps(context, registry);
  }

  private void bindEngines(Registry registry) {
    RequestDispatcher dispatcher =
        registry.lookupByNameAndType(
            EventLoopHttpServerFactory.DISPATCHER, RequestDispatcher.class);
    registry.bind("eventLoop", new EventLoopHttpEngine(port, dispatcher, maxBodySize));
    registry.bind(
        PlatformHttpConstants.PLATFORM_HTTP_ENGINE_NAME, new BlockingHttpEngine(port, dispatcher));
  }

  private void bindSteps(CamelContext context, Registry registry) throws Exception {
    SaleRegistry sales = registry.lookupByNameAndType("saleRegistry", SaleRegistry.class);
    Rates rates = registry.lookupByNameAndType("rates", Rates.class);
    SoldOutGate gate = registry.lookupByNameAndType("soldOutGate", SoldOutGate.class);
    SeckillMetrics metrics = registry.lookupByNameAndType("seckillMetrics", SeckillMetrics.class);
    AdmissionGuard guard = registry.lookupByNameAndType("admissionGuard", AdmissionGuard.class);
    Identity buyers = new Identities(context, metrics).configured();

    PurchaseSteps purchase =
        new PurchaseSteps(
            sales,
            gate,
            metrics,
            registry.lookupByNameAndType("recentAdmissions", RecentAdmissions.class));
    ClientAddress address = new ClientAddress(trustedProxies, forwardedHeader.strip());
    registry.bind("admitAddress", purchase.admitAddress(address, rates));
    registry.bind("identifyBuyer", purchase.identify(buyers));
    registry.bind("readPurchase", purchase.read(new PurchaseReader(outboxLimit)));
    registry.bind("admitByRate", purchase.admit(rates));
    registry.bind("passGate", purchase.passGate(guard::admits));
    registry.bind("answerReserved", purchase.answerReserved());
    registry.bind("answerReplay", purchase.answerReplay());
    registry.bind("answerKeyReused", purchase.answerKeyReused());
    registry.bind("answerAlreadyBought", purchase.answerAlreadyBought());
    registry.bind("answerSoldOut", purchase.answerSoldOut());
    registry.bind("answerNotStarted", purchase.answerNotStarted());
    registry.bind("answerEnded", purchase.answerEnded());
    registry.bind("answerPaused", purchase.answerPaused());
    registry.bind("answerOverLimit", purchase.answerOverLimit());
    registry.bind("answerOutboxFull", purchase.answerOutboxFull());
    registry.bind("answerNoBook", purchase.answerNoBook());
    registry.bind("answerDegraded", purchase.answerDegraded());
    registry.bind("answerFault", Faults.step());

    MissedLookups misses = new MissedLookups(MISS_MEMORY, MISSES_REMEMBERED);
    ResultSteps result = new ResultSteps(sales, guard::admits, misses, rates);
    registry.bind("identifyAsker", result.identify(buyers, address));
    registry.bind("readQuestion", result.read());
    registry.bind("answerFromBooks", result.answerFromBooks());
    registry.bind("answerFromOrders", result.answerFromOrders());
    Clock clock = registry.lookupByNameAndType("clock", Clock.class);
    registry.bind("answerSale", result.answerSale(new SaleAnswers(sales, clock)));

    OrderQueue orders = registry.lookupByNameAndType("orderQueue", OrderQueue.class);
    QueueSteps queue = new QueueSteps(orders, sales, metrics, misses, clock);
    registry.bind("recallPurchase", queue.recall());
    registry.bind("judgeBySale", queue.judge());
    registry.bind("queuePurchase", queue.queue());
    registry.bind("answerFromMemory", queue.answer());
  }
}
