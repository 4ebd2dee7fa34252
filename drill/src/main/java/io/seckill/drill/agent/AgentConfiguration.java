package io.seckill.drill.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.CamelConfiguration;
import org.apache.camel.CamelContext;

/**
 * Puts the agent into an application whose classpath holds this package: crash points at every node
 * and a clock that can be shifted. The application itself knows nothing of it.
 */
public final class AgentConfiguration implements CamelConfiguration {
  private static final long POLL_NANOS = 5_000_000;

  @Override
  public void configure(CamelContext context) {
    Control.ofThisProcess().ifPresent(control -> install(context, control));
  }

  private static void install(CamelContext context, Control control) {
    CrashPoints points = new CrashPoints(control);
    ShiftedClock clock = new ShiftedClock();
    context.getCamelContextExtension().addInterceptStrategy(points);
    context.getRegistry().bind("clock", clock);
    Thread thread = new Thread(() -> follow(control, points, clock), "drill-agent");
    thread.setDaemon(true);
    thread.start();
  }

  private static void follow(Control control, CrashPoints points, ShiftedClock clock) {
    Optional<String> last = Optional.empty();
    while (true) {
      try {
        Optional<String> order = control.order();
        if (!order.equals(last)) {
          last = order;
          points.disarm();
          if (order.isPresent()) {
            obey(order.get(), control, points, clock);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static void obey(String order, Control control, CrashPoints points, ShiftedClock clock)
      throws IOException {
    String[] words = order.split(" ");
    if (words[0].equals("clock")) {
      clock.shift(Long.parseLong(words[1]));
      control.tell(order);
    } else {
      points.arm(words[0], Integer.parseInt(words[1]), Long.parseLong(words[2]));
    }
  }
}
