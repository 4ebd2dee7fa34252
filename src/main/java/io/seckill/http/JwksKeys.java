package io.seckill.http;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.camel.CamelContext;
import org.apache.camel.support.service.ServiceSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The issuer's public keys, kept in memory: loaded from a URL or a file at start, every few minutes
 * and, at most every few seconds, when a token names a key that is not known. Asking never blocks.
 */
public final class JwksKeys extends ServiceSupport implements JWKSource<SecurityContext> {
  private static final Logger LOG = LoggerFactory.getLogger(JwksKeys.class);

  private static final Duration REFRESH = Duration.ofMinutes(5);
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 1 << 20;

  private final CamelContext context;
  private final URI location;
  private final AtomicBoolean wanted = new AtomicBoolean(true);
  private volatile JWKSet keys;
  private volatile long loadedAt;
  private HttpClient client;
  private ScheduledExecutorService executor;

  /**
   * @param location an https, http or file URI
   */
  public JwksKeys(CamelContext context, URI location) {
    this.context = context;
    this.location = location;
  }

  @Override
  public List<JWK> get(JWKSelector selector, SecurityContext ignored) {
    JWKSet current = keys;
    if (current == null) {
      throw Refusals.degraded();
    }
    List<JWK> matching = selector.select(current);
    if (matching.isEmpty()) {
      wanted.set(true);
    }
    return matching;
  }

  @Override
  protected void doStart() {
    client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    executor =
        context.getExecutorServiceManager().newSingleThreadScheduledExecutor(this, "jwks-refresh");
    executor.scheduleWithFixedDelay(this::refresh, 0, RETRY.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  protected void doStop() {
    context.getExecutorServiceManager().shutdownNow(executor);
  }

  private void refresh() {
    boolean old = System.nanoTime() - loadedAt > REFRESH.toNanos();
    if (keys != null && !old && !wanted.get()) {
      return;
    }
    try {
      keys = publicKeys(JWKSet.parse(load()));
      loadedAt = System.nanoTime();
      wanted.set(false);
    } catch (IOException | ParseException | RuntimeException e) {
      LOG.warn("The keys of {} cannot be loaded: {}", location, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Secrets have no place in a published set; tokens signed with one must not count. */
  private static JWKSet publicKeys(JWKSet set) {
    return new JWKSet(set.toPublicJWKSet().getKeys().stream().filter(JwksKeys::isKeyPair).toList());
  }

  private static boolean isKeyPair(JWK key) {
    return key.getKeyType() != com.nimbusds.jose.jwk.KeyType.OCT;
  }

  private String load() throws IOException, InterruptedException {
    if ("file".equals(location.getScheme())) {
      return Files.readString(Path.of(location));
    }
    HttpResponse<byte[]> response =
        client.send(
            HttpRequest.newBuilder(location).timeout(TIMEOUT).build(),
            HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() != 200 || response.body().length > MAX_BYTES) {
      throw new IOException(
          "status " + response.statusCode() + ", " + response.body().length + " bytes");
    }
    return new String(response.body(), java.nio.charset.StandardCharsets.UTF_8);
  }
}
