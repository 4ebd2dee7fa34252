package io.seckill.minimal;

import io.seckill.api.OrderQuestionSteps;
import io.seckill.api.PendingTime;
import io.seckill.api.Waiters;
import io.seckill.metrics.SeckillMetrics;
import io.seckill.sale.SaleRegistry;
import java.time.Clock;
import org.apache.camel.CamelConfiguration;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.Registry;

/** Binds the steps of minimal mode's routes after the beans of all other packages. */
public class MinimalConfiguration implements CamelConfiguration {
  @Override
  public void configure(CamelContext context) {
    Registry registry = context.getRegistry();
    SaleRegistry sales = registry.lookupByNameAndType("saleRegistry", SaleRegistry.class);
    SeckillMetrics metrics = registry.lookupByNameAndType("seckillMetrics", SeckillMetrics.class);
    OrderQuestionSteps questions =
        registry.lookupByNameAndType("orderQuestions", OrderQuestionSteps.class);
    Clock clock = registry.lookupByNameAndType("saleClock", Clock.class);
    OrderQueue orders = registry.lookupByNameAndType("orderQueue", OrderQueue.class);
    QueueSteps queue =
        new QueueSteps(
            orders,
            sales,
            metrics,
            questions,
            clock,
            registry.lookupByNameAndType("pendingTime", PendingTime.class));
    Waiters waiters = registry.lookupByNameAndType("waiters", Waiters.class);
    waiters.listenTo(new QueueEnds(orders, waiters));
    registry.bind("recallPurchase", queue.recall());
    registry.bind("judgeBySale", queue.judge());
    registry.bind("queuePurchase", queue.queue());
    registry.bind("answerFromMemory", queue.answer());
  }
}
