package io.seckill.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.embedded.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.listener.ChannelTopic;

/** Publish and subscribe as camel-spring-redis does it, over an absence of Redis. */
class SpringRedisIT {
  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = Redis.own();
  }

  @AfterAll
  static void stop() {
    server.stopHard();
  }

  private static void publishUntilHeard(SpringRedis redis, List<String> heard, String message) {
    StringRedisTemplate template = new StringRedisTemplate(redis.connectionFactory());
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(
            () -> {
              template.convertAndSend("seckill:events", message);
              return heard.contains(message);
            });
  }

  private static List<String> listen(SpringRedis redis) {
    List<String> heard = new CopyOnWriteArrayList<>();
    redis
        .listenerContainer()
        .addMessageListener(
            (message, pattern) -> heard.add(new String(message.getBody(), StandardCharsets.UTF_8)),
            List.of(new ChannelTopic("seckill:events")));
    return heard;
  }

  @Test
  void shouldHearAgainAfterRedisWasAway() throws Exception {
    server.start();
    try (SpringRedis redis = new SpringRedis(Redis.settings(server.uri()))) {
      List<String> heard = listen(redis);
      publishUntilHeard(redis, heard, "before");
      server.stop();
      server.start();
      publishUntilHeard(redis, heard, "after");
      assertThat(heard).contains("before", "after");
    }
  }

  @Test
  void shouldStartToListenWhileRedisIsAway() throws Exception {
    server.stop();
    try (SpringRedis redis = new SpringRedis(Redis.settings(server.uri()))) {
      List<String> heard = listen(redis);
      server.start();
      publishUntilHeard(redis, heard, "at last");
    }
  }
}
