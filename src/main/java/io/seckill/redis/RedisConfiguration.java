package io.seckill.redis;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.seckill.book.AdmissionGuard;
import io.seckill.book.BookExaminer;
import io.seckill.book.BookVerifier;
import java.time.Duration;
import java.util.List;
import org.apache.camel.BindToRegistry;
import org.apache.camel.CamelContext;
import org.apache.camel.Configuration;
import org.apache.camel.PropertyInject;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.data.redis.serializer.StringRedisSerializer;

/** Beans that talk to Redis. They connect when a route or another bean first uses them. */
@Configuration
public class RedisConfiguration {
  private final CircuitBreakerRegistry breakers = CircuitBreakerRegistry.ofDefaults();
  private final AdmissionGuard guard = new AdmissionGuard();
  private RedisConnections connections;
  private ScriptRunner scripts;
  private SpringRedis spring;

  @PropertyInject("seckill.mode")
  private String mode;

  @PropertyInject(value = "seckill.redis.uri", defaultValue = "redis://127.0.0.1:6379")
  private String uri;

  @PropertyInject("seckill.redis.user")
  private String user;

  @PropertyInject("seckill.redis.password")
  private String password;

  @PropertyInject("seckill.redis.truststore")
  private String truststore;

  @PropertyInject("seckill.redis.truststore-password")
  private String truststorePassword;

  @PropertyInject("seckill.redis.keystore")
  private String keystore;

  @PropertyInject("seckill.redis.keystore-password")
  private String keystorePassword;

  @PropertyInject("seckill.redis.connect-timeout")
  private long connectTimeout;

  @PropertyInject("seckill.redis.request-timeout")
  private long requestTimeout;

  @PropertyInject("seckill.redis.background-timeout")
  private long backgroundTimeout;

  @PropertyInject("seckill.redis.stall-timeout")
  private long stallTimeout;

  @PropertyInject("seckill.redis.breaker-wait")
  private long breakerWait;

  @BindToRegistry(destroyMethod = "close")
  public synchronized RedisConnections redisConnections() {
    if (connections == null) {
      connections = new RedisConnections(settings());
    }
    return connections;
  }

  private RedisSettings settings() {
    return new RedisSettings(
        uri,
        user,
        password,
        new RedisCertificates(truststore, truststorePassword, keystore, keystorePassword),
        Duration.ofMillis(connectTimeout),
        Duration.ofMillis(requestTimeout),
        Duration.ofMillis(backgroundTimeout),
        Duration.ofMillis(stallTimeout),
        Duration.ofMillis(breakerWait));
  }

  /** The breakers' states and events, under the names {@link ScriptRunner} gives them. */
  @BindToRegistry
  public CircuitBreakerRegistry redisBreakers() {
    return breakers;
  }

  /** In minimal mode there are no books, so every sale is open. */
  @BindToRegistry
  public AdmissionGuard admissionGuard() {
    if (mode.equals("minimal")) {
      guard.listed(guard.version(), List.of());
    }
    return guard;
  }

  @BindToRegistry
  public synchronized ScriptRunner scriptRunner(CamelContext context) {
    if (scripts == null) {
      scripts =
          new ScriptRunner(
              redisConnections(),
              guard,
              breakers,
              resource -> context.getClassResolver().loadResourceAsStream(resource));
    }
    return scripts;
  }

  /** Uses the {@link BookVerifier} in the registry; without one, trusts every book. */
  @BindToRegistry(destroyMethod = "close")
  public BookExaminer bookExaminer(CamelContext context) {
    return new BookExaminer(
        guard,
        scriptRunner(context)::book,
        () -> {
          BookVerifier bound = context.getRegistry().findSingleByType(BookVerifier.class);
          return bound != null ? bound : BookVerifier.trusting();
        });
  }

  @BindToRegistry
  public RedisRights redisRights() {
    return new RedisRights();
  }

  /** Closes the beans that camel-spring-redis uses. */
  @BindToRegistry(destroyMethod = "close")
  public synchronized SpringRedis springRedis() {
    if (spring == null) {
      spring = new SpringRedis(settings());
      redisConnections().onReplacement(spring::renew);
    }
    return spring;
  }

  /** For camel-spring-redis, whose default is Jedis. */
  @BindToRegistry(lazy = true)
  public LettuceConnectionFactory redisConnectionFactory() {
    return springRedis().connectionFactory();
  }

  @BindToRegistry(lazy = true)
  public StringRedisTemplate redisTemplate() {
    return new StringRedisTemplate(springRedis().connectionFactory());
  }

  /** For SUBSCRIBE; subscribes again after Redis was away. */
  @BindToRegistry(lazy = true)
  public RedisMessageListenerContainer redisListenerContainer() {
    return springRedis().listenerContainer();
  }

  /** Sends texts as they are, because camel-spring-redis uses Java serialization by default. */
  @BindToRegistry
  public StringRedisSerializer redisSerializer() {
    return new StringRedisSerializer();
  }
}
