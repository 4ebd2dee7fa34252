package io.seckill.drill.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.CamelConfiguration;
import org.apache.camel.CamelContext;

/**
 * Adds the agent to an application whose classpath holds this package: crash points at every node,
 * and control of its {@link ShiftedClock}. The application has no code for this.
 */
public final class AgentConfiguration implements CamelConfiguration {
  private static final long POLL_NANOS = 5_000_000;

  @Override
  public void configure(CamelContext context) {
    Control.ofThisProcess().ifPresent(control -> install(context, control));
  }

  static void install(CamelContext context, Control control) {
    CrashPoints points = new CrashPoints(control);
    ShiftedClock clock = context.getRegistry().lookupByNameAndType("clock", ShiftedClock.class);
    context.getCamelContextExtension().addInterceptStrategy(points);
    Thread thread = new Thread(() -> follow(control, points, clock), "drill-agent");
    thread.setDaemon(true);
    thread.start();
  }

  private static void follow(Control control, CrashPoints points, ShiftedClock clock) {
    List<String> last = List.of();
    while (true) {
      try {
        List<String> orders = control.orders();
        if (!orders.equals(last)) {
          last = orders;
          obey(orders, control, points, clock);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static void obey(
      List<String> orders, Control control, CrashPoints points, ShiftedClock clock)
      throws IOException {
    Map<String, Control.Stop> stops = new LinkedHashMap<>();
    for (String order : orders) {
      if (order.startsWith("stop ")) {
        stops.put(order, Control.Stop.of(order));
      }
    }
    points.arm(stops);
    for (String order : orders) {
      if (order.startsWith("clock ")) {
        clock.shift(Long.parseLong(order.split(" ")[2]));
        control.tell(order);
      }
    }
  }
}
