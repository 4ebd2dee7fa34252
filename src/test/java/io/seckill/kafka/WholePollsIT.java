package io.seckill.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.testing.TestServers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.kafka.KafkaComponent;
import org.apache.camel.component.kafka.KafkaConfiguration;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** A route that takes whole polls. */
class WholePollsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final String name = "whole-" + UUID.randomUUID();
  private final PolledRecords records = new PolledRecords();
  private final List<List<String>> polls = new CopyOnWriteArrayList<>();
  private final AtomicInteger failures = new AtomicInteger();

  @Test
  void shouldTakeAPollAsOneExchangeAndCommitAllOfIt() throws Exception {
    create();
    send(0, 300);
    try (DefaultCamelContext context = route(0)) {
      assertThat(context.isStarted()).isTrue();
      await().atMost(LIMIT).until(() -> values().size() >= 300);
      assertThat(polls)
          .hasSizeLessThan(30)
          .allSatisfy(poll -> assertThat(poll).hasSizeLessThan(101));

      send(300, 1);
      await().atMost(LIMIT).until(() -> values().size() >= 301);
    }
    assertThat(values()).hasSize(301).doesNotHaveDuplicates();
    try (ConsumerProgress progress = progress()) {
      assertThat(progress.passed(progress.barrier(name, name))).isTrue();
    }
  }

  @Test
  void shouldReadAgainWhatAFailedExchangeHad() throws Exception {
    create();
    send(0, 40);
    try (DefaultCamelContext context = route(2)) {
      assertThat(context.isStarted()).isTrue();
      await().atMost(LIMIT).until(() -> new HashSet<>(values()).size() == 40);
    }
    assertThat(failures).hasValue(2);
    try (ConsumerProgress progress = progress()) {
      assertThat(progress.passed(progress.barrier(name, name))).isTrue();
    }
  }

  private List<String> values() {
    return polls.stream().flatMap(List::stream).toList();
  }

  private static ConsumerProgress progress() {
    return new ConsumerProgress(Admin.create(TestServers.get().kafkaClient()));
  }

  private void create() {
    try (Admin admin = Admin.create(TestServers.get().kafkaClient())) {
      new Topics(admin, LIMIT).ensure(List.of(new Topic(name, 2, Map.of())));
    }
  }

  private void send(int first, int count) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            TestServers.get().kafkaClient(),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = first; i < first + count; i++) {
        byte[] value = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
        producer.send(new ProducerRecord<>(name, i % 2, null, value));
      }
    }
  }

  private DefaultCamelContext route(int failing) throws Exception {
    DefaultCamelContext context = new DefaultCamelContext();
    context.getRegistry().bind("wholePolls", new WholePolls(Duration.ofMillis(5)));
    Map<String, Object> client = TestServers.get().kafkaClient();
    KafkaConfiguration options =
        context.getComponent("kafka", KafkaComponent.class).getConfiguration();
    options.setBrokers((String) client.get("bootstrap.servers"));
    options.setAdditionalProperties(new HashMap<>(client));
    RouteBuilder.addRoutes(
        context,
        routes ->
            routes
                .from(
                    "kafka:"
                        + name
                        + "?groupId="
                        + name
                        + "&kafkaClientFactory=#wholePolls&maxPollRecords=100&pollTimeoutMs=200"
                        + "&autoOffsetReset=earliest&autoCommitEnable=false&allowManualCommit=true"
                        + "&breakOnFirstError=true&pollOnError=RECONNECT&valueDeserializer="
                        + "org.apache.kafka.common.serialization.ByteArrayDeserializer")
                .process(
                    exchange -> {
                      Poll poll = exchange.getMessage().getBody(Poll.class);
                      if (failures.get() < failing) {
                        failures.incrementAndGet();
                        throw new IllegalStateException("not now");
                      }
                      polls.add(
                          records.read(poll).stream()
                              .map(it -> new String(it.value(), StandardCharsets.US_ASCII))
                              .toList());
                      records.commit(poll);
                    }));
    context.start();
    return context;
  }
}
