package io.seckill.http;

import io.seckill.answer.Problem;
import io.seckill.answer.Refusal;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/**
 * Admits administrative calls with the token of {@code seckill.admin.token} as {@code
 * Authorization: Bearer <token>}, before a route or the body is read. The header must come exactly
 * once. The comparison of the token takes constant time.
 *
 * <p>The right token never waits. {@link WrongTokens} delays the answer to a wrong one.
 */
final class AdminGuard {
  private static final String SCHEME = "Bearer ";
  private static final String NEEDED =
      "An administrative call needs 'Authorization: Bearer <token>'.";
  private static final String WRONG = "The admin token is not valid.";

  private final SharedSecret secret;
  private final ClientAddress address;
  private final WrongTokens wrong;
  private final Runnable counter;
  private final Vertx vertx;

  /**
   * @param token blank to refuse all calls
   * @param address reads the client's address
   * @param counter runs for each wrong token
   */
  AdminGuard(
      String token, ClientAddress address, WrongTokens wrong, Runnable counter, Vertx vertx) {
    this.secret = token.isBlank() ? null : new SharedSecret(token);
    this.address = address;
    this.wrong = wrong;
    this.counter = counter;
    this.vertx = vertx;
  }

  /** Runs {@code pass} now, on this thread, when the token is right; else answers 401. */
  void judge(HttpServerRequest request, Runnable pass) {
    String token = token(request.headers().getAll(HttpHeaders.AUTHORIZATION));
    if (token == null) {
      ServerAnswers.sendAndClose(request, Problem.of(refusal(NEEDED, "")));
      return;
    }
    if (secret != null && secret.matches(token)) {
      pass.run();
      return;
    }
    counter.run();
    Refusal refusal = refusal(WRONG, ", error=\"invalid_token\"");
    long delay = wrong.delay(address.of(request));
    if (delay == 0) {
      ServerAnswers.sendAndClose(request, Problem.of(refusal));
      return;
    }
    request.pause();
    vertx.setTimer(delay, timer -> ServerAnswers.sendAndClose(request, Problem.of(refusal)));
  }

  /** The presented token; null unless there is exactly one. */
  private static String token(List<String> authorizations) {
    if (authorizations.size() != 1) {
      return null;
    }
    String header = authorizations.get(0);
    return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? header.substring(SCHEME.length()).strip()
        : null;
  }

  private static Refusal refusal(String detail, String error) {
    return Refusal.of(401, "UNAUTHENTICATED", detail)
        .challenge("Bearer realm=\"seckill-admin\"" + error);
  }
}
