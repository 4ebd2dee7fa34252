package io.seckill.identity;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetParseException;
import com.nimbusds.jose.jwk.source.JWKSetRetrievalException;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches the set of public keys that an issuer publishes (RFC 7517), anew at each call. It blocks,
 * so never call it on an event loop.
 *
 * <p>Nimbus's own retriever is not used for three reasons: it has no deadline for a whole fetch
 * (its time limits begin anew with each byte), it follows a redirect to plain http at another host,
 * and it rejects a whole set because of one key with an unknown curve.
 */
public final class PublishedKeys implements JWKSetSource<SecurityContext> {
  private static final Logger LOG = LoggerFactory.getLogger(PublishedKeys.class);

  private static final Duration DEADLINE = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_REDIRECTS = 5;
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

  private final URI location;
  private final HttpClient client;
  private Set<String> ignored = Set.of();
  private long fetchedAt;

  /**
   * @param location an https or file URI, or http on loopback
   * @throws IllegalArgumentException for any other
   */
  public PublishedKeys(URI location) {
    if (!isFile(location) && !isSafe(location)) {
      throw new IllegalArgumentException(
          "seckill.jwt.jwks must be an https or file URL, or http on loopback, not '"
              + location
              + "'");
    }
    this.location = location;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  /** The issuer's host, or the name of the file. */
  String name() {
    if (isFile(location)) {
      return String.valueOf(Path.of(location).getFileName());
    }
    return location.getHost() + (location.getPort() < 0 ? "" : ":" + location.getPort());
  }

  /** When the last successful fetch began, in nanoseconds. */
  long fetchedAt() {
    return fetchedAt;
  }

  /**
   * The usable keys; an empty set when the issuer publishes none.
   *
   * @throws JWKSetUnavailableException when the fetch fails, or the content is not a key set
   */
  @Override
  public JWKSet getJWKSet(
      JWKSetCacheRefreshEvaluator evaluator, long currentTime, SecurityContext context)
      throws JWKSetUnavailableException {
    long begun = System.nanoTime();
    byte[] content;
    try {
      content = isFile(location) ? read() : fetch();
    } catch (IOException e) {
      throw new JWKSetRetrievalException(e.getMessage(), e);
    }
    try {
      JWKSet keys = parse(new String(content, StandardCharsets.UTF_8));
      fetchedAt = begun;
      return keys;
    } catch (ParseException | RuntimeException e) {
      throw new JWKSetParseException("not a JSON Web Key Set: " + e.getMessage(), e);
    }
  }

  /** Ignores a key that it does not understand (RFC 7517, section 5), and logs it once. */
  @SuppressWarnings("unchecked")
  private JWKSet parse(String content) throws ParseException {
    List<Object> published = JSONObjectUtils.getJSONArray(JSONObjectUtils.parse(content), "keys");
    if (published == null) {
      throw new ParseException("it has no member \"keys\"", 0);
    }
    List<JWK> keys = new ArrayList<>();
    Set<String> notUnderstood = new HashSet<>();
    for (Object each : published) {
      if (!(each instanceof Map<?, ?>)) {
        notUnderstood.add("it is not a JSON object");
        continue;
      }
      Map<String, Object> members = (Map<String, Object>) each;
      try {
        JWK key = JWK.parse(members);
        // a published set must not contain secrets: a token signed with one is refused
        if (key.getKeyType() != KeyType.OCT) {
          keys.add(key.toPublicJWK());
        }
      } catch (ParseException | RuntimeException e) {
        notUnderstood.add(
            "kid "
                + members.get("kid")
                + ", kty "
                + members.get("kty")
                + ", crv "
                + members.get("crv")
                + ": "
                + e.getMessage());
      }
    }
    notUnderstood.stream()
        .filter(key -> !ignored.contains(key))
        .forEach(key -> LOG.warn("{} publishes a key that is ignored, {}", name(), key));
    ignored = notUnderstood;
    return new JWKSet(keys);
  }

  private byte[] read() throws IOException {
    try (InputStream in = Files.newInputStream(Path.of(location))) {
      byte[] content = in.readNBytes(MAX_BYTES + 1);
      if (content.length > MAX_BYTES) {
        throw tooLarge();
      }
      return content;
    } catch (FileSystemException e) {
      throw new IOException("the file cannot be read, " + e, e);
    }
  }

  private byte[] fetch() throws IOException {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    URI next = location;
    for (int hops = 0; hops <= MAX_REDIRECTS; hops++) {
      HttpResponse<byte[]> response = send(next, deadline - System.nanoTime());
      if (response.statusCode() == 200) {
        return response.body();
      }
      if (!REDIRECTS.contains(response.statusCode())) {
        throw new IOException("status " + response.statusCode());
      }
      next = target(next, response);
    }
    throw new IOException("more than " + MAX_REDIRECTS + " redirects");
  }

  private static URI target(URI from, HttpResponse<?> redirect) throws IOException {
    String value =
        redirect
            .headers()
            .firstValue("Location")
            .orElseThrow(() -> new IOException("a redirect without a location"));
    URI to;
    try {
      to = from.resolve(value);
    } catch (IllegalArgumentException e) {
      throw new IOException("a redirect to an invalid URL: " + value, e);
    }
    boolean downgrade = isHttps(from) && !isHttps(to);
    if (downgrade || !isSafe(to)) {
      throw new IOException("a redirect to " + to.getScheme() + " at " + to.getHost());
    }
    return to;
  }

  private HttpResponse<byte[]> send(URI uri, long nanos) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Accept", "application/jwk-set+json, application/json")
            .build();
    CompletableFuture<HttpResponse<byte[]>> response =
        client.sendAsync(request, head -> new BoundedBody());
    try {
      return response.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      response.cancel(true);
      throw new IOException("no complete answer within " + DEADLINE.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      response.cancel(true);
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException(
          e.getCause() instanceof ConnectException
              ? "no connection to " + uri.getHost()
              : e.getCause().toString(),
          e.getCause());
    }
  }

  private static boolean isFile(URI uri) {
    return "file".equalsIgnoreCase(uri.getScheme());
  }

  private static boolean isHttps(URI uri) {
    return "https".equalsIgnoreCase(uri.getScheme());
  }

  /** Anybody could have replaced keys that travelled a network unencrypted. */
  private static boolean isSafe(URI uri) {
    String host = uri.getHost();
    if (host == null) {
      return false;
    }
    return isHttps(uri) || "http".equalsIgnoreCase(uri.getScheme()) && isLoopback(host);
  }

  private static boolean isLoopback(String host) {
    InetAddress literal = NetUtil.createInetAddressFromIpAddressString(host);
    return literal == null ? host.equalsIgnoreCase("localhost") : literal.isLoopbackAddress();
  }

  private static IOException tooLarge() {
    return new IOException("more than " + MAX_BYTES + " bytes");
  }

  /** Collects a body, and closes the connection when the body is too large. */
  private static final class BoundedBody implements BodySubscriber<byte[]> {
    private final BodySubscriber<byte[]> whole = BodySubscribers.ofByteArray();
    private Flow.Subscription subscription;
    private long left = MAX_BYTES;

    @Override
    public CompletionStage<byte[]> getBody() {
      return whole.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
      subscription = begun;
      whole.onSubscribe(begun);
    }

    @Override
    public void onNext(List<ByteBuffer> part) {
      left -= part.stream().mapToLong(ByteBuffer::remaining).sum();
      if (left < 0) {
        subscription.cancel();
        whole.onError(tooLarge());
      } else {
        whole.onNext(part);
      }
    }

    @Override
    public void onError(Throwable failure) {
      whole.onError(failure);
    }

    @Override
    public void onComplete() {
      whole.onComplete();
    }
  }

  @Override
  public void close() {
    // keeps no connection between two fetches
  }
}
