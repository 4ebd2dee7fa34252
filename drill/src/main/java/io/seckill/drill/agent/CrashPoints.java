package io.seckill.drill.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.AsyncCallback;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Processor;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.model.ProcessorDefinitionHelper;
import org.apache.camel.spi.InterceptStrategy;
import org.apache.camel.support.processor.DelegateAsyncProcessor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Points at which the drill can end the application (the process runs nothing more) or stall it:
 * before and after every node of every route, named {@code route-id/node-id:before} and {@code
 * :after}. Only an exchange without a failure reaches {@code after}.
 */
final class CrashPoints implements InterceptStrategy {
  private static final Logger LOG = LoggerFactory.getLogger(CrashPoints.class);
  private static final long POLL_NANOS = 2_000_000;
  private static final int AS_IF_KILLED = 137;

  private record Armed(String order, Control.Stop stop, AtomicInteger left) {}

  private final Control control;
  private volatile Map<String, Armed> armed = Map.of();

  CrashPoints(Control control) {
    this.control = control;
  }

  /**
   * Replaces the armed stops; a stop that was armed before keeps its count.
   *
   * @param stops by their orders, one for each point
   */
  void arm(Map<String, Control.Stop> stops) {
    Map<String, Armed> next = new HashMap<>();
    stops.forEach(
        (order, stop) -> {
          Armed before = armed.get(stop.point());
          next.put(
              stop.point(),
              before != null && before.order().equals(order)
                  ? before
                  : new Armed(order, stop, new AtomicInteger(stop.nth())));
        });
    armed = next;
  }

  @Override
  public Processor wrapProcessorInInterceptors(
      CamelContext context, NamedNode node, Processor target, Processor next) {
    String name =
        ProcessorDefinitionHelper.getRouteId((ProcessorDefinition<?>) node) + "/" + node.getId();
    String before = name + ":before";
    String after = name + ":after";
    return new DelegateAsyncProcessor(target) {
      @Override
      public boolean process(Exchange exchange, AsyncCallback callback) {
        reach(before);
        return super.process(
            exchange,
            doneSync -> {
              if (exchange.getException() == null) {
                reach(after);
              }
              callback.done(doneSync);
            });
      }
    };
  }

  private void reach(String point) {
    Armed here = armed.get(point);
    if (here == null || here.left().decrementAndGet() != 0) {
      return;
    }
    try {
      control.tell(point);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long stallMillis = here.stop().stallMillis();
    if (stallMillis == 0) {
      Runtime.getRuntime().halt(AS_IF_KILLED);
    }
    LOG.warn("Standing still at {}", point);
    long until = System.nanoTime() + stallMillis * 1_000_000;
    while (armed.get(point) == here && System.nanoTime() < until) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    LOG.warn("Going on at {}", point);
  }
}
