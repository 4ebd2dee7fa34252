package io.seckill.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TestApplicationIT {
  @Test
  void shouldServeManagementOnItsOwnPort() throws Exception {
    TestApplication application = TestApplication.shared();

    assertThat(status(application.managementUrl() + "/observe/health/ready")).isEqualTo(200);
    assertThat(status(application.managementUrl() + "/observe/metrics")).isEqualTo(200);
    assertThat(status(application.baseUrl() + "/observe/health")).isEqualTo(404);
  }

  @Test
  void shouldNotServeCamelsDevelopmentTools() throws Exception {
    TestApplication application = TestApplication.shared();

    for (String path : new String[] {"/q/send", "/q/upload", "/q/dev", "/q/download", "/q/info"}) {
      assertThat(status(application.managementUrl() + path)).as(path).isEqualTo(404);
      assertThat(status(application.baseUrl() + path)).as(path).isEqualTo(404);
    }
  }

  @Test
  void shouldRunSeveralApplicationsOnTheSameServers() throws Exception {
    TestApplication one = TestApplication.shared();
    try (TestApplication other = TestApplication.start(Map.of("seckill.strategy", "B"))) {
      other.awaitReady();
      assertThat(other.baseUrl()).isNotEqualTo(one.baseUrl());
      assertThat(other.camelContext().resolvePropertyPlaceholders("{{seckill.strategy}}"))
          .isEqualTo("B");
      assertThat(status(other.managementUrl() + "/observe/health/ready")).isEqualTo(200);
    }
    assertThat(status(one.managementUrl() + "/observe/health/ready")).isEqualTo(200);
  }

  @Test
  void shouldLeaveNoThreadBehindWhenItIsClosed() {
    TestServers.get().redisCommands();
    TestApplication.start(Map.of()).close();
    Set<Thread> before = threads();

    TestApplication.start(Map.of()).close();

    await("the threads of the closed application to end")
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              Set<Thread> left = threads();
              left.removeAll(before);
              assertThat(left).filteredOn(Thread::isAlive).isEmpty();
            });
  }

  /** Without those that come and go with the JVM, the servers and the common pool. */
  private static Set<Thread> threads() {
    Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    threads.removeIf(
        thread ->
            Stream.of(
                    "awaitility",
                    "ForkJoinPool.commonPool",
                    "HttpClient",
                    "data-plane-kafka",
                    "executor-")
                .anyMatch(thread.getName()::startsWith));
    return threads;
  }

  private static int status(String url) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
  }
}
