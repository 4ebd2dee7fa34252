package io.seckill.drill.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.CamelContext;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentConfigurationTest {
  private static final String INSERT = "writer/insert:before";
  private static final String CONFIRM = "writer/confirm:before";
  private static final long LONG = 600_000;

  private final List<String> done = new CopyOnWriteArrayList<>();
  private final CamelContext context = new DefaultCamelContext();
  private final ShiftedClock clock = new ShiftedClock();
  @TempDir private Path folder;
  private Control control;
  private ProducerTemplate producer;

  @BeforeEach
  void start() throws Exception {
    control = new Control(folder);
    context.getRegistry().bind("clock", clock);
    AgentConfiguration.install(context, control);
    context.addRoutes(
        new RouteBuilder() {
          @Override
          public void configure() {
            from("direct:batches")
                .routeId("writer")
                .process(exchange -> done.add("insert " + exchange.getMessage().getBody()))
                .id("insert")
                .process(exchange -> done.add("confirm " + exchange.getMessage().getBody()))
                .id("confirm");
          }
        });
    context.start();
    producer = context.createProducerTemplate();
  }

  @AfterEach
  void stop() throws Exception {
    control.disarm();
    context.stop();
  }

  @Test
  void shouldStandStillUntilLetGo() throws Exception {
    control.arm(new Control.Stop(INSERT, 2, LONG));
    awaitObeyed();

    write("1").join();
    CompletableFuture<Void> second = write("2");
    await().until(() -> control.reached(INSERT) == 1);
    assertThat(done).containsExactly("insert 1", "confirm 1");

    control.release(INSERT);
    second.join();
    assertThat(done).contains("insert 2", "confirm 2");
  }

  @Test
  void shouldArmOnePointWhileAnotherIsTaken() throws Exception {
    control.arm(new Control.Stop(INSERT, 1, LONG));
    awaitObeyed();
    CompletableFuture<Void> first = write("1");
    await().until(() -> control.reached(INSERT) == 1);

    control.arm(new Control.Stop(CONFIRM, 1, LONG));
    awaitObeyed();
    CompletableFuture<Void> other = write("2");
    await().until(() -> control.reached(CONFIRM) == 1);
    assertThat(done).containsExactly("insert 2");

    // armed again: who stands there goes on, and the next one stops
    control.arm(new Control.Stop(CONFIRM, 1, LONG));
    other.join();
    CompletableFuture<Void> third = write("3");
    await().until(() -> control.reached(CONFIRM) == 2);
    assertThat(done).containsExactly("insert 2", "confirm 2", "insert 3");

    control.release(INSERT);
    first.join();
    assertThat(done).endsWith("insert 1", "confirm 1");
    control.disarm();
    third.join();
  }

  @Test
  void shouldShiftTheClock() throws Exception {
    control.shiftClock(3_600_000);
    await().until(() -> clock.millis() - System.currentTimeMillis() > 3_000_000);
    control.shiftClock(0);
    await().until(() -> clock.millis() - System.currentTimeMillis() < 3_000_000);
  }

  private CompletableFuture<Void> write(String batch) {
    return CompletableFuture.runAsync(() -> producer.sendBody("direct:batches", batch));
  }

  /** What was ordered before is obeyed once the agent tells of a later order. */
  private void awaitObeyed() throws Exception {
    control.shiftClock(0);
    List<String> orders = control.orders();
    await().until(() -> control.deeds().contains(orders.get(orders.size() - 1)));
  }
}
