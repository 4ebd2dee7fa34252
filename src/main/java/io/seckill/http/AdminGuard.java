package io.seckill.http;

import io.seckill.answer.Problem;
import io.seckill.answer.Refusal;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/**
 * Lets administrative calls pass that show the token of {@code seckill.admin.token} as {@code
 * Authorization: Bearer <token>}, before a route or the body is looked at. Only the header itself
 * counts, and only where it came once. The token is compared in constant time.
 *
 * <p>The right token is never made to wait. A wrong one is answered as late as {@link WrongTokens}
 * says of its address.
 */
final class AdminGuard {
  private static final String SCHEME = "Bearer ";
  private static final String NEEDED =
      "An administrative call needs 'Authorization: Bearer <token>'.";
  private static final String WRONG = "The admin token is not valid.";

  private final SharedSecret secret;
  private final ClientAddress address;
  private final WrongTokens wrong;
  private final Vertx vertx;

  /**
   * @param token blank: nobody passes
   * @param address tells addresses apart
   */
  AdminGuard(String token, ClientAddress address, WrongTokens wrong, Vertx vertx) {
    this.secret = token.isBlank() ? null : new SharedSecret(token);
    this.address = address;
    this.wrong = wrong;
    this.vertx = vertx;
  }

  /** Runs {@code pass} now, on this thread, where the token is right; else answers 401. */
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
    Refusal refusal = refusal(WRONG, ", error=\"invalid_token\"");
    long delay = wrong.delay(address.of(request));
    if (delay == 0) {
      ServerAnswers.sendAndClose(request, Problem.of(refusal));
      return;
    }
    request.pause();
    vertx.setTimer(delay, timer -> ServerAnswers.sendAndClose(request, Problem.of(refusal)));
  }

  /** The token shown; null where none is, or more than one. */
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
