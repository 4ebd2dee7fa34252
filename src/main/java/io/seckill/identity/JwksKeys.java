package io.seckill.identity;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.SecurityContext;
import io.seckill.answer.Refusals;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.camel.CamelContext;
import org.apache.camel.support.service.ServiceSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the issuer's public keys in memory. It fetches them at start, every few minutes, and when a
 * token names an unknown key, at most twice in ten seconds. While a fetch fails it trusts the old
 * keys up to a maximum age, then no key.
 *
 * <p>Nimbus decides when to fetch, on a thread of this class. Its source would wait for the issuer
 * in the middle of a verification, so verifications do not call it. It would also trust old keys
 * longer than their maximum age, by one lifetime of its cache, so this class checks the age.
 */
public final class JwksKeys extends ServiceSupport implements TokenKeys {
  private static final Logger LOG = LoggerFactory.getLogger(JwksKeys.class);

  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration RETRY = Duration.ofSeconds(10);
  private static final JWKSelector ALL = new JWKSelector(new JWKMatcher.Builder().build());

  /**
   * The fetched keys.
   *
   * @param generation rises with each set that lacks a key of the previous set
   * @param fetchedAt nanoseconds
   */
  private record Held(JWKSet keys, int generation, long fetchedAt) {}

  private final CamelContext context;
  private final PublishedKeys published;
  private final Duration maxAge;
  private final JWKSource<SecurityContext> source;
  private final AtomicReference<JWKSelector> wanted = new AtomicReference<>();
  private volatile Held held;
  private volatile String failure = "not fetched yet";
  private ScheduledExecutorService executor;

  /**
   * @param refresh how old keys are when they are fetched again, though no token asks for others
   * @param maxAge how old keys are when they are trusted no longer; more than {@code refresh}
   * @throws IllegalArgumentException when keys would be trusted no longer before they are fetched
   *     again
   */
  public JwksKeys(
      CamelContext context, PublishedKeys published, Duration refresh, Duration maxAge) {
    if (refresh.toSeconds() < 1 || maxAge.compareTo(refresh) <= 0) {
      throw new IllegalArgumentException(
          "seckill.jwt.jwks-refresh must be at least 1, and seckill.jwt.jwks-max-age more than that");
    }
    this.context = context;
    this.published = published;
    this.maxAge = maxAge;
    Duration retry = RETRY.compareTo(refresh) < 0 ? RETRY : refresh.dividedBy(2);
    this.source =
        JWKSourceBuilder.create(published)
            .cache(refresh.toMillis(), refresh.toMillis())
            .refreshAheadCache(false)
            .rateLimited(retry.toMillis())
            .build();
  }

  @Override
  public List<JWK> get(JWKSelector selector, SecurityContext ignored) {
    List<JWK> matching = selector.select(trusted().keys());
    if (matching.isEmpty()) {
      wanted.set(selector);
    }
    return matching;
  }

  @Override
  public int generation() {
    return trusted().generation();
  }

  private Held trusted() {
    Held current = held;
    if (!isTrusted(current)) {
      throw Refusals.degraded();
    }
    return current;
  }

  private boolean isTrusted(Held some) {
    return some != null
        && !some.keys().isEmpty()
        && System.nanoTime() - some.fetchedAt() < maxAge.toNanos();
  }

  /** Whether a token can be verified. */
  boolean isTrusted() {
    return isTrusted(held);
  }

  /** Seconds since the keys were fetched; NaN when they never were. */
  double ageSeconds() {
    Held current = held;
    return current == null ? Double.NaN : (System.nanoTime() - current.fetchedAt()) / 1e9;
  }

  /** One sentence for an operator. */
  String summary() {
    Held current = held;
    String reason = failure;
    if (current == null) {
      return "no keys of " + published.name() + ": " + reason;
    }
    String keys =
        String.format(
            Locale.ROOT,
            "%d key(s) of %s, fetched %.0f s ago",
            current.keys().size(),
            published.name(),
            ageSeconds());
    String trust = isTrusted(current) ? "" : ", no longer trusted";
    return keys + trust + (reason == null ? "" : "; since then: " + reason);
  }

  @Override
  protected void doStart() {
    executor =
        context.getExecutorServiceManager().newSingleThreadScheduledExecutor(this, "jwks-refresh");
    executor.scheduleWithFixedDelay(this::look, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  protected void doStop() {
    context.getExecutorServiceManager().shutdownNow(executor);
  }

  private void look() {
    JWKSelector asked = wanted.getAndSet(null);
    if (asked != null && ask(asked).isEmpty()) {
      wanted.compareAndSet(null, asked);
    }
    ask(ALL).ifPresent(this::hold);
  }

  /** Asks Nimbus's source, which fetches when that is due; empty when the fetch failed. */
  private Optional<List<JWK>> ask(JWKSelector selector) {
    try {
      return Optional.of(source.get(selector, null));
    } catch (RateLimitReachedException later) {
      return Optional.empty();
    } catch (KeySourceException | RuntimeException e) {
      if (failure == null || held == null) {
        LOG.warn("The keys of {} cannot be fetched: {}", published.name(), e.getMessage());
      }
      failure = e.getMessage();
      return Optional.empty();
    }
  }

  private void hold(List<JWK> keys) {
    Held before = held;
    long fetchedAt = published.fetchedAt();
    if (before != null && before.fetchedAt() == fetchedAt) {
      return;
    }
    boolean lacks = before != null && !keys.containsAll(before.keys().getKeys());
    int generation = before == null ? 0 : before.generation() + (lacks ? 1 : 0);
    held = new Held(new JWKSet(keys), generation, fetchedAt);
    if (failure != null) {
      LOG.info("{} key(s) of {} are fetched", keys.size(), published.name());
      failure = null;
    }
  }
}
