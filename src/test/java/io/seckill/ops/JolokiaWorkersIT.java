package io.seckill.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.seckill.testing.TestApplication;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class JolokiaWorkersIT {
  private static final MBeanServer MBEANS = ManagementFactory.getPlatformMBeanServer();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final AtomicInteger SLOW_ONES = new AtomicInteger();

  /** JMX asks for the name of the class, Jolokia for the rest. */
  private static final int CALLS_OF_A_LIST = 2;

  /** Of the failing case alone: an answer that never comes. */
  private static final Duration GIVE_UP = Duration.ofSeconds(30);

  private final TestApplication application = TestApplication.shared();

  @Test
  void shouldAnswerHealthMetricsAndReadingWhileAHeavyCallRuns() throws Exception {
    try (Slow slow = new Slow()) {
      CompletableFuture<HttpResponse<String>> heavy = post(slow.list());
      await().until(() -> slow.calls.get() == 1);

      for (int round = 0; round < 5; round++) {
        assertThat(get("/observe/health/live").statusCode()).isEqualTo(200);
        assertThat(get("/observe/metrics").statusCode()).isEqualTo(200);
        assertThat(get("/observe/jolokia/version").body()).contains("\"agent\"");
        assertThat(post("{\"type\":\"version\"}").join().body()).contains("\"agent\"");
      }

      assertThat(heavy).isNotDone();
      slow.release();
      assertThat(heavy.join().body()).contains("type=Slow");
    }
  }

  @Test
  void shouldRunOneHeavyCallAtATimeAndShareItsAnswer() throws Exception {
    try (Slow slow = new Slow()) {
      CompletableFuture<HttpResponse<String>> first = post(slow.list());
      await().until(() -> slow.calls.get() == 1);
      List<CompletableFuture<HttpResponse<String>>> same =
          List.of(post(slow.list()), post(slow.list()));
      CompletableFuture<HttpResponse<String>> bulk = post("[" + slow.list() + "]");
      assertThat(post("{\"type\":\"version\"}").join().statusCode()).isEqualTo(200);

      slow.release();
      assertThat(bulk.join().body()).contains("type=Slow");
      for (CompletableFuture<HttpResponse<String>> one : same) {
        assertThat(one.join().body()).isEqualTo(first.join().body());
      }
      assertThat(slow.most.get()).as("at a time").isEqualTo(1);
      assertThat(slow.calls.get()).as("first and bulk").isEqualTo(2 * CALLS_OF_A_LIST);
    }
  }

  @Test
  void shouldForgetAnAnswer() throws Exception {
    try (Slow slow = new Slow()) {
      slow.release();
      await()
          .until(
              () ->
                  post(slow.list()).join().statusCode() == 200
                      && slow.calls.get() > CALLS_OF_A_LIST);
    }
  }

  @Test
  void shouldAnswerWhatIsNoRequestWithItsFault() throws Exception {
    assertThat(post("x").join().statusCode()).isEqualTo(400);
    assertThat(post("").join().statusCode()).isEqualTo(400);
  }

  /** The application's own clients stay: they tell of its consumers. */
  @Test
  void shouldNotShowTheBrokerOfThisProcess() throws Exception {
    Set<String> kafka = new TreeSet<>();
    JSON.readTree(post("{\"type\":\"list\",\"config\":{\"maxDepth\":1}}").join().body())
        .path("value")
        .fieldNames()
        .forEachRemaining(domain -> kafka.add(domain));
    kafka.removeIf(domain -> !domain.startsWith("kafka"));
    JsonNode found =
        JSON.readTree(post("{\"type\":\"search\",\"mbean\":\"kafka.server:*\"}").join().body());

    assertThat(kafka).contains("kafka.consumer", "kafka.producer");
    assertThat(kafka).isSubsetOf("kafka.admin.client", "kafka.consumer", "kafka.producer");
    assertThat(found.path("value")).isEmpty();
  }

  private CompletableFuture<HttpResponse<String>> post(String body) {
    return CLIENT.sendAsync(
        HttpRequest.newBuilder(URI.create(application.managementUrl() + "/observe/jolokia/"))
            .timeout(GIVE_UP)
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(application.managementUrl() + path))
            .timeout(GIVE_UP)
            .build(),
        BodyHandlers.ofString());
  }

  /** An MBean that does not say what it is before it is released. */
  public static final class Slow implements DynamicMBean, AutoCloseable {
    private final String domain = "io.seckill.slow" + SLOW_ONES.incrementAndGet();
    private final ObjectName name = new ObjectName(domain + ":type=Slow");
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private volatile boolean registered;

    Slow() throws Exception {
      MBEANS.registerMBean(this, name);
      registered = true;
    }

    /** The request that asks what it is; of each its own, as answers are kept. */
    String list() {
      return "{\"type\":\"list\",\"path\":\"" + domain + "\"}";
    }

    void release() {
      released.countDown();
    }

    @Override
    public MBeanInfo getMBeanInfo() {
      if (registered) {
        calls.incrementAndGet();
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        try {
          released.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        } finally {
          running.decrementAndGet();
        }
      }
      return new MBeanInfo(Slow.class.getName(), "Slow", null, null, null, null);
    }

    @Override
    public Object getAttribute(String attribute) throws AttributeNotFoundException {
      throw new AttributeNotFoundException(attribute);
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
      throw new AttributeNotFoundException(attribute.getName());
    }

    @Override
    public AttributeList getAttributes(String[] attributes) {
      return new AttributeList();
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
      return new AttributeList();
    }

    @Override
    public Object invoke(String action, Object[] parameters, String[] signature) {
      return null;
    }

    @Override
    public void close() throws Exception {
      release();
      registered = false;
      MBEANS.unregisterMBean(name);
    }
  }
}
