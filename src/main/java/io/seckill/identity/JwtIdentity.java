package io.seckill.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.ExpiredJWTException;
import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.domain.PositiveId;
import io.seckill.http.Request;
import io.seckill.metrics.SeckillMetrics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.ParseException;
import java.time.Clock;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.ThreadPoolProfile;
import org.apache.camel.support.service.ServiceSupport;
import org.apache.camel.util.concurrent.ThreadPoolRejectedPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the user id from the {@code sub} of a signed token ({@code seckill.identity=jwt}): {@code
 * Authorization: Bearer <token>}. It checks signature, algorithm, iss, aud, exp and nbf.
 *
 * <p>Verifying a signature takes up to a millisecond of CPU time, and anybody can send a wrong one.
 * So a few separate threads verify, and the queue before them is short enough for an answer in
 * time. A valid token is remembered by its SHA-256 digest until it expires or a key is no longer
 * trusted.
 */
public final class JwtIdentity extends ServiceSupport implements Identity {
  private static final Logger LOG = LoggerFactory.getLogger(JwtIdentity.class);

  private static final String HEADER = "Authorization";
  private static final String SCHEME = "Bearer ";

  private static final Refusal NONE =
      Refusal.of(401, "UNAUTHENTICATED", "The request carries no identity.")
          .challenge("Bearer realm=\"seckill\"");
  private static final Refusal INVALID =
      Refusal.of(401, "UNAUTHENTICATED", "The token is not valid.")
          .challenge("Bearer realm=\"seckill\", error=\"invalid_token\"");
  private static final Refusal BUSY =
      Refusal.of(503, "DEGRADED", "Too many tokens wait to be verified. Try again.")
          .retryAfter(Refusals.RETRY_SECONDS);

  /**
   * A request must be answered within a second, so a token that has waited longer than this is
   * refused.
   */
  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Kept per thread, because looking up the algorithm takes longer than hashing a token. */
  private static final ThreadLocal<MessageDigest> DIGEST =
      ThreadLocal.withInitial(JwtIdentity::sha256);

  /**
   * How much of this node may serve tokens.
   *
   * @param threads threads that verify; 0 means half the cores, at least one
   * @param queue tokens that may wait for one
   * @param remembered valid tokens that are remembered
   */
  public record Bounds(int threads, int queue, long remembered) {
    public Bounds {
      if (threads < 0 || queue < 1 || remembered < 0) {
        throw new IllegalArgumentException(
            "seckill.jwt.verifiers and remembered must be 0 or more, and seckill.jwt.queue 1 or more");
      }
      threads = threads > 0 ? threads : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }
  }

  /**
   * The user of a valid token.
   *
   * @param until milliseconds of the epoch
   */
  private record Verified(long userId, long until, int generation) {}

  private final CamelContext context;
  private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
  private final TokenKeys keys;
  private final long clockSkewMillis;
  private final Bounds bounds;
  private final Cache<ByteBuffer, Verified> remembered;
  private final SeckillMetrics metrics;
  private final Clock clock = Clock.systemUTC();
  private ExecutorService verifiers;

  public JwtIdentity(
      CamelContext context,
      JwtSettings settings,
      TokenKeys keys,
      Bounds bounds,
      SeckillMetrics metrics) {
    this.context = context;
    this.keys = keys;
    this.clockSkewMillis = settings.clockSkew().toMillis();
    this.bounds = bounds;
    this.metrics = metrics;
    this.remembered =
        Caffeine.newBuilder().maximumSize(bounds.remembered()).executor(Runnable::run).build();
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(settings.algorithms(), keys));
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    DefaultJWTClaimsVerifier<SecurityContext> claims =
        new DefaultJWTClaimsVerifier<>(
            Set.of(settings.audience()),
            new JWTClaimsSet.Builder().issuer(settings.issuer()).build(),
            Set.of("sub", "exp"),
            Set.of());
    claims.setMaxClockSkew(Math.toIntExact(settings.clockSkew().toSeconds()));
    processor.setJWTClaimsSetVerifier(claims);
  }

  @Override
  protected void doStart() {
    ThreadPoolProfile profile = new ThreadPoolProfile("verify-tokens");
    profile.setPoolSize(bounds.threads());
    profile.setMaxPoolSize(bounds.threads());
    profile.setMaxQueueSize(bounds.queue());
    profile.setRejectedPolicy(ThreadPoolRejectedPolicy.Abort);
    verifiers = context.getExecutorServiceManager().newThreadPool(this, "verify-tokens", profile);
  }

  @Override
  protected void doStop() {
    context.getExecutorServiceManager().shutdown(verifiers);
  }

  /**
   * {@inheritDoc}
   *
   * @throws Refusal 401 UNAUTHENTICATED without one Authorization header with a token; 503 DEGRADED
   *     while no key is trusted
   */
  @Override
  public OptionalLong known(Request request) {
    String token = token(request);
    int generation = keys.generation();
    Verified verified = remembered.getIfPresent(digest(token));
    if (verified == null
        || verified.generation() != generation
        || verified.until() <= clock.millis()) {
      return OptionalLong.empty();
    }
    metrics.token("REMEMBERED");
    return OptionalLong.of(verified.userId());
  }

  /**
   * {@inheritDoc} It fails with 401 UNAUTHENTICATED for a token that is not valid or whose sub is
   * not a positive BIGINT, and with 503 DEGRADED while no key is trusted, or when the token has
   * waited too long.
   */
  @Override
  public CompletableFuture<Long> verify(Request request) {
    String token = token(request);
    CompletableFuture<Long> userId = new CompletableFuture<>();
    long begun = System.nanoTime();
    try {
      verifiers.execute(
          () -> {
            if (System.nanoTime() - begun > MAX_WAIT_NANOS) {
              metrics.token("BUSY");
              userId.completeExceptionally(BUSY);
            } else {
              verify(token, userId);
            }
          });
    } catch (RejectedExecutionException full) {
      metrics.token("BUSY");
      throw BUSY;
    }
    return userId;
  }

  private void verify(String token, CompletableFuture<Long> userId) {
    try {
      int generation = keys.generation();
      JWTClaimsSet claims = processor.process(token, null);
      long sub = PositiveId.parse(claims.getSubject());
      if (sub == PositiveId.INVALID) {
        refuse(userId, "INVALID", "sub is not a user id");
        return;
      }
      long until = claims.getExpirationTime().getTime() + clockSkewMillis;
      remembered.put(digest(token), new Verified(sub, until, generation));
      metrics.token("VERIFIED");
      userId.complete(sub);
    } catch (Refusal away) {
      userId.completeExceptionally(away);
    } catch (ExpiredJWTException e) {
      refuse(userId, "EXPIRED", e.getMessage());
    } catch (BadJOSEException | JOSEException e) {
      refuse(userId, "INVALID", e.getMessage());
    } catch (ParseException | RuntimeException e) {
      // Nimbus reports some malformed tokens as such and fails unexpectedly on others
      refuse(userId, "MALFORMED", e.getClass().getSimpleName());
    } catch (Error e) {
      userId.completeExceptionally(e);
      throw e;
    }
  }

  private void refuse(CompletableFuture<Long> userId, String outcome, String reason) {
    LOG.debug("A token is refused as {}: {}", outcome, reason);
    metrics.token(outcome);
    userId.completeExceptionally(INVALID);
  }

  private static String token(Request request) {
    List<String> values = request.headers(HEADER);
    if (values.size() != 1 || !values.get(0).regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw NONE;
    }
    return values.get(0).substring(SCHEME.length()).strip();
  }

  private static ByteBuffer digest(String token) {
    return ByteBuffer.wrap(DIGEST.get().digest(token.getBytes(StandardCharsets.UTF_8)));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every Java platform", e);
    }
  }
}
