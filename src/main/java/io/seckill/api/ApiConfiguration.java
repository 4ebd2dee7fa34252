package io.seckill.api;

import io.seckill.book.AdmissionGuard;
import io.seckill.book.RecentAdmissions;
import io.seckill.http.ClientAddress;
import io.seckill.identity.Identities;
import io.seckill.identity.Identity;
import io.seckill.metrics.SeckillMetrics;
import io.seckill.rate.Rates;
import io.seckill.redis.ScriptRunner;
import io.seckill.redis.SpringRedis;
import io.seckill.sale.SaleRegistry;
import io.seckill.sale.SoldOutGate;
import java.time.Clock;
import org.apache.camel.CamelConfiguration;
import org.apache.camel.CamelContext;
import org.apache.camel.PropertyInject;
import org.apache.camel.spi.Registry;

/** Binds the steps of the buyers' routes after the beans of all other packages. */
public class ApiConfiguration implements CamelConfiguration {
  @PropertyInject("seckill.mode")
  private String mode;

  @PropertyInject("seckill.outbox.max-length")
  private long outboxLimit;

  @PropertyInject("seckill.result.stream-seconds")
  private int streamSeconds;

  @PropertyInject("seckill.throttle.trusted-proxies")
  private int trustedProxies;

  @PropertyInject("seckill.throttle.forwarded-header")
  private String forwardedHeader;

  @Override
  public void configure(CamelContext context) throws Exception {
    Registry registry = context.getRegistry();
    SaleRegistry sales = registry.lookupByNameAndType("saleRegistry", SaleRegistry.class);
    Rates rates = registry.lookupByNameAndType("rates", Rates.class);
    SoldOutGate gate = registry.lookupByNameAndType("soldOutGate", SoldOutGate.class);
    SeckillMetrics metrics = registry.lookupByNameAndType("seckillMetrics", SeckillMetrics.class);
    AdmissionGuard guard = registry.lookupByNameAndType("admissionGuard", AdmissionGuard.class);
    PendingTime time = registry.lookupByNameAndType("pendingTime", PendingTime.class);
    Identity buyers = new Identities(context, metrics).configured();

    PurchaseSteps purchase =
        new PurchaseSteps(
            sales,
            gate,
            metrics,
            registry.lookupByNameAndType("recentAdmissions", RecentAdmissions.class),
            time);
    ClientAddress address = new ClientAddress(trustedProxies, forwardedHeader.strip());
    registry.bind("admitAddress", purchase.admitAddress(address, rates));
    registry.bind("identifyBuyer", purchase.identify(buyers));
    registry.bind("readPurchase", purchase.read(new PurchaseReader()));
    registry.bind("admitByRate", purchase.admit(rates));
    registry.bind("passGate", purchase.passGate(guard::admits, outboxLimit));
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
    registry.bind("answerDegraded", purchase.answerDegraded());
    registry.bind("answerFault", purchase.answerFault());

    OrderQuestionSteps orders =
        registry.lookupByNameAndType("orderQuestions", OrderQuestionSteps.class);
    registry.bind("answerNoBook", purchase.answerNoBook(orders));
    registry.bind("answerSettled", purchase.answerSettled(orders));
    ResultSteps result = new ResultSteps(sales, guard::trust, orders, rates, time);
    registry.bind("toldOrders", new ToldOrders(sales, metrics));
    registry.bind("identifyAsker", result.identify(buyers, address));
    registry.bind("readQuestion", result.read());
    registry.bind("answerFromBooks", result.answerFromBooks());
    registry.bind("answerFromOrders", result.answerFromOrders());
    Waiters waiters = registry.lookupByNameAndType("waiters", Waiters.class);
    StreamSteps stream = new StreamSteps(result, rates, waiters, streamSeconds);
    registry.bind("readQuestions", stream.read());
    registry.bind("askOneQuestion", stream.ask());
    registry.bind("collectAsked", stream.collect());
    registry.bind("streamResults", stream.stream());
    if (!mode.equals("minimal")) {
      waiters.listenTo(
          new BookEnds(
              registry.lookupByNameAndType("springRedis", SpringRedis.class),
              registry.lookupByNameAndType("scriptRunner", ScriptRunner.class),
              waiters));
    }
    Clock clock = registry.lookupByNameAndType("saleClock", Clock.class);
    registry.bind("answerSale", result.answerSale(new SaleAnswers(sales, clock)));
  }
}
