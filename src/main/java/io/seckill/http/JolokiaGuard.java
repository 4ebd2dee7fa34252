package io.seckill.http;

import io.seckill.answer.Problem;
import io.seckill.answer.Refusal;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * Asks callers of Jolokia for a token, before a route or the body is read. They use HTTP Basic,
 * which Hawtio supports, with user {@value #USER} and the token as password. Health and metrics
 * stay open for probes and Prometheus.
 *
 * <p>A right token never waits. {@link WrongTokens} delays the answer to a wrong one.
 */
final class JolokiaGuard {
  /** The only user. */
  static final String USER = "admin";

  private static final String SCHEME = "Basic ";
  private static final String CHALLENGE = "Basic realm=\"seckill-jolokia\"";
  private static final String NEEDED = "Jolokia needs user " + USER + " and a token as password.";
  private static final String WRONG = "User or token is not valid.";

  private final SharedSecret looking;
  private final AdminTokens operators;
  private final ClientAddress address;
  private final WrongTokens wrong;
  private final Vertx vertx;

  /**
   * @param looking the token of those who may look; empty for none
   * @param operators the tokens of those who may also operate, by their role; null for none
   */
  JolokiaGuard(
      String looking,
      AdminTokens operators,
      ClientAddress address,
      WrongTokens wrong,
      Vertx vertx) {
    this.looking = looking.isEmpty() ? null : new SharedSecret(looking);
    this.operators = operators;
    this.address = address;
    this.wrong = wrong;
    this.vertx = vertx;
  }

  /** Who asks, when it is the holder of an admin token; else null. */
  Operator operator(HttpServerRequest request) {
    AdminTokens.Holder holder = holder(password(request));
    return holder == null
        ? null
        : new Operator(holder.name(), holder.role(), request.remoteAddress().hostAddress());
  }

  private AdminTokens.Holder holder(String password) {
    return operators == null || password == null ? null : operators.find(password);
  }

  /** Runs {@code pass} now, on this thread, when the token is right; else answers 401. */
  void judge(HttpServerRequest request, Runnable pass) {
    if (request.headers().getAll(HttpHeaders.AUTHORIZATION).isEmpty()) {
      refuse(request, NEEDED);
      return;
    }
    String password = password(request);
    // both compared, so that the time tells nothing
    if (matches(looking, password) | holder(password) != null) {
      pass.run();
      return;
    }
    long delay = wrong.delay(address.of(request));
    if (delay == 0) {
      refuse(request, WRONG);
      return;
    }
    request.pause();
    vertx.setTimer(delay, timer -> refuse(request, WRONG));
  }

  private static boolean matches(SharedSecret secret, String password) {
    return secret != null && secret.matches(password);
  }

  private static void refuse(HttpServerRequest request, String detail) {
    ServerAnswers.sendAndClose(
        request, Problem.of(Refusal.of(401, "UNAUTHENTICATED", detail).challenge(CHALLENGE)));
  }

  /** The presented password of the user; null unless there is exactly one. */
  private static String password(HttpServerRequest request) {
    List<String> authorizations = request.headers().getAll(HttpHeaders.AUTHORIZATION);
    if (authorizations.size() != 1
        || !authorizations.get(0).regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return null;
    }
    try {
      String login =
          new String(
              Base64.getDecoder().decode(authorizations.get(0).substring(SCHEME.length()).strip()),
              StandardCharsets.UTF_8);
      return login.startsWith(USER + ":") ? login.substring(USER.length() + 1) : null;
    } catch (IllegalArgumentException e) {
      return null; // not Base64
    }
  }
}
