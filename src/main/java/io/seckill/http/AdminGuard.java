package io.seckill.http;

import io.seckill.answer.Problem;
import io.seckill.answer.Refusal;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import java.util.List;

/**
 * Admits administrative calls with one of the {@link AdminTokens} as {@code Authorization: Bearer
 * <token>} whose {@link Role} allows the call, before a route or the body is read. The header must
 * come exactly once. The comparison of the token takes constant time.
 *
 * <p>The right token never waits. {@link WrongTokens} delays the answer to a wrong one.
 */
final class AdminGuard {
  private static final String SCHEME = "Bearer ";
  private static final String NEEDED =
      "An administrative call needs 'Authorization: Bearer <token>'.";
  private static final String WRONG = "The admin token is not valid.";

  private static final String OPERATOR = AdminGuard.class.getName() + ".operator";

  private final AdminTokens tokens;
  private final ClientAddress address;
  private final WrongTokens wrong;
  private final Runnable counter;
  private final Vertx vertx;

  /**
   * @param address reads the client's address
   * @param counter runs for each wrong token
   */
  AdminGuard(
      AdminTokens tokens, ClientAddress address, WrongTokens wrong, Runnable counter, Vertx vertx) {
    this.tokens = tokens;
    this.address = address;
    this.wrong = wrong;
    this.counter = counter;
    this.vertx = vertx;
  }

  /**
   * Runs {@code pass} now, on this thread, when the token is right and its role allows the call;
   * else answers 401 or 403.
   */
  void judge(HttpServerRequest request, Runnable pass) {
    String token = token(request.headers().getAll(HttpHeaders.AUTHORIZATION));
    if (token == null) {
      ServerAnswers.sendAndClose(request, Problem.of(refusal(NEEDED, "")));
      return;
    }
    AdminTokens.Holder holder = tokens.find(token);
    if (holder != null) {
      admit(request, holder, pass);
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

  private void admit(HttpServerRequest request, AdminTokens.Holder holder, Runnable pass) {
    Role needed = Role.neededFor(request.method().name(), request.path());
    if (!holder.role().includes(needed)) {
      ServerAnswers.sendAndClose(request, Problem.of(forbidden(holder, needed)));
      return;
    }
    ((HttpServerRequestInternal) request)
        .context()
        .putLocal(OPERATOR, new Operator(holder.name(), holder.role(), address.text(request)));
    pass.run();
  }

  private static Refusal forbidden(AdminTokens.Holder holder, Role needed) {
    return Refusal.of(
            403, "FORBIDDEN", "This call needs a token with the role " + needed.label() + ".")
        .with("needed", needed.label())
        .with("role", holder.role().label());
  }

  /** Who makes a call that was admitted; null for a call that needs no token. */
  static Operator operator(HttpServerRequest request) {
    return ((HttpServerRequestInternal) request).context().getLocal(OPERATOR);
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
