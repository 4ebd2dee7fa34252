package io.seckill.http;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.ImmutableSecret;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import io.seckill.ops.SeckillMetrics;
import io.seckill.order.OrderQueue;
import io.seckill.order.RecentAdmissions;
import io.seckill.rate.Rates;
import io.seckill.redis.AdmissionGuard;
import io.seckill.sale.SaleRegistry;
import io.seckill.sale.SoldOutGate;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.camel.CamelConfiguration;
import org.apache.camel.CamelContext;
import org.apache.camel.PropertyInject;
import org.apache.camel.component.platform.http.PlatformHttpConstants;
import org.apache.camel.spi.Registry;

/**
 * Beans of the HTTP side: the server's two engines and the steps of the event-loop routes. They are
 * bound once the beans of all other packages are there.
 */
public class HttpConfiguration implements CamelConfiguration {
  private static final Duration MISS_MEMORY = Duration.ofSeconds(1);
  private static final int MISSES_REMEMBERED = 100_000;
  private static final int MIN_SECRET_BYTES = 32;

  @PropertyInject("camel.server.port")
  private int port;

  @PropertyInject("camel.server.maxBodySize")
  private int maxBodySize;

  @PropertyInject("seckill.outbox.max-length")
  private long outboxLimit;

  @PropertyInject("seckill.throttle.trusted-proxies")
  private int trustedProxies;

  @PropertyInject("seckill.throttle.forwarded-header")
  private String forwardedHeader;

  @PropertyInject("seckill.identity")
  private String identity;

  @Override
  public void configure(CamelContext context) throws Exception {
    Registry registry = context.getRegistry();
    bindEngines(registry);
    bindSteps(context, registry);
  }

  private void bindEngines(Registry registry) {
    RequestDispatcher dispatcher =
        registry.lookupByNameAndType(
            EventLoopHttpServerFactory.DISPATCHER, RequestDispatcher.class);
    registry.bind("eventLoop", new EventLoopHttpEngine(port, dispatcher, maxBodySize));
    registry.bind(
        PlatformHttpConstants.PLATFORM_HTTP_ENGINE_NAME, new BlockingHttpEngine(port, dispatcher));
  }

  private void bindSteps(CamelContext context, Registry registry) throws Exception {
    SaleRegistry sales = registry.lookupByNameAndType("saleRegistry", SaleRegistry.class);
    Rates rates = registry.lookupByNameAndType("rates", Rates.class);
    SoldOutGate gate = registry.lookupByNameAndType("soldOutGate", SoldOutGate.class);
    SeckillMetrics metrics = registry.lookupByNameAndType("seckillMetrics", SeckillMetrics.class);
    AdmissionGuard guard = registry.lookupByNameAndType("admissionGuard", AdmissionGuard.class);
    Identity buyers = identity(context);

    PurchaseSteps purchase =
        new PurchaseSteps(
            sales,
            gate,
            metrics,
            registry.lookupByNameAndType("recentAdmissions", RecentAdmissions.class));
    registry.bind("identifyBuyer", purchase.identify(buyers));
    registry.bind(
        "readPurchase",
        purchase.read(
            new PurchaseReader(outboxLimit),
            new ClientAddress(trustedProxies, forwardedHeader.strip()),
            rates));
    registry.bind("admitByRate", purchase.admit(rates));
    registry.bind("passGate", purchase.passGate(guard::admits));
    registry.bind("answerReserved", purchase.answerReserved());
    registry.bind("answerReplay", purchase.answerReplay());
    registry.bind("answerKeyReused", purchase.answerKeyReused());
    registry.bind("answerAlreadyBought", purchase.answerAlreadyBought());
    registry.bind("answerSoldOut", purchase.answerSoldOut());
    registry.bind("answerNotStarted", purchase.answerNotStarted());
    registry.bind("answerEnded", purchase.answerEnded());
    registry.bind("answerPaused", purchase.answerPaused());
    registry.bind("answerOverLimit", purchase.answerOverLimit());
    registry.bind("answerOutboxFull", purchase.answerOutboxFull());
    registry.bind("answerNoBook", purchase.answerNoBook());
    registry.bind("answerDegraded", purchase.answerDegraded());
    registry.bind("answerFault", Faults.step());

    MissedLookups misses = new MissedLookups(MISS_MEMORY, MISSES_REMEMBERED);
    ResultSteps result = new ResultSteps(sales, guard::admits, misses, rates);
    registry.bind("identifyAsker", result.identify(buyers));
    registry.bind("readQuestion", result.read());
    registry.bind("answerFromBooks", result.answerFromBooks());
    registry.bind("answerFromOrders", result.answerFromOrders());
    Clock clock = registry.lookupByNameAndType("clock", Clock.class);
    registry.bind("answerSale", result.answerSale(new SaleAnswers(sales, clock)));

    OrderQueue orders = registry.lookupByNameAndType("orderQueue", OrderQueue.class);
    QueueSteps queue = new QueueSteps(orders, sales, metrics, misses, clock);
    registry.bind("recallPurchase", queue.recall());
    registry.bind("judgeBySale", queue.judge());
    registry.bind("queuePurchase", queue.queue());
    registry.bind("answerFromMemory", queue.answer());
  }

  private Identity identity(CamelContext context) throws Exception {
    return switch (identity) {
      case "header" -> new HeaderIdentity();
      case "jwt" -> {
        JwtSettings settings = jwtSettings(context);
        yield new JwtIdentity(settings, keys(context, settings));
      }
      default ->
          throw new IllegalArgumentException(
              "seckill.identity must be header or jwt, not '" + identity + "'");
    };
  }

  private static JwtSettings jwtSettings(CamelContext context) {
    return new JwtSettings(
        property(context, "seckill.jwt.issuer"),
        property(context, "seckill.jwt.audience"),
        Arrays.stream(property(context, "seckill.jwt.algorithms").split(","))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .map(JWSAlgorithm::parse)
            .collect(Collectors.toSet()),
        Duration.ofSeconds(Long.parseLong(property(context, "seckill.jwt.clock-skew"))));
  }

  private static JWKSource<SecurityContext> keys(CamelContext context, JwtSettings settings)
      throws Exception {
    if (settings.isSharedSecret()) {
      byte[] secret = property(context, "seckill.jwt.secret").getBytes(StandardCharsets.UTF_8);
      if (secret.length < MIN_SECRET_BYTES) {
        throw new IllegalArgumentException(
            "seckill.jwt.secret must have " + MIN_SECRET_BYTES + " bytes at least");
      }
      return new ImmutableSecret<>(secret);
    }
    String location = property(context, "seckill.jwt.jwks");
    if (location.isEmpty()) {
      throw new IllegalArgumentException(
          "seckill.jwt.jwks must be set: the URL or file of the issuer's public keys");
    }
    JwksKeys keys = new JwksKeys(context, URI.create(location));
    context.addService(keys);
    return keys;
  }

  private static String property(CamelContext context, String name) {
    return context.getPropertiesComponent().resolveProperty(name).orElse("").strip();
  }
}
