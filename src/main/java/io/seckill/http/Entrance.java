package io.seckill.http;

import io.seckill.answer.Problem;
import io.seckill.answer.Refusals;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;

/**
 * The first handler at one address. Before any route sees a request, it checks the host name,
 * refuses administration at other addresses than its own, and sends everything below {@code /admin}
 * through the {@link AdminGuard}.
 */
final class Entrance implements Handler<HttpServerRequest> {
  private static final String ADMINISTRATION = "/admin";

  /** The calls that an address serves. */
  enum Serves {
    EVERYBODY,
    BUYERS,
    ADMINISTRATORS
  }

  private final Serves serves;
  private final AllowedHosts hosts;
  private final AdminGuard guard;
  private final Handler<HttpServerRequest> next;

  Entrance(Serves serves, AllowedHosts hosts, AdminGuard guard, Handler<HttpServerRequest> next) {
    this.serves = serves;
    this.hosts = hosts;
    this.guard = guard;
    this.next = next;
  }

  @Override
  public void handle(HttpServerRequest request) {
    if (!hosts.admit(request)) {
      return;
    }
    boolean administrative = isAdministrative(request.path());
    if (serves == (administrative ? Serves.BUYERS : Serves.ADMINISTRATORS)) {
      ServerAnswers.sendAndClose(request, Problem.of(Refusals.ofServer(404)));
    } else if (administrative) {
      guard.judge(request, () -> next.handle(request));
    } else {
      next.handle(request);
    }
  }

  /** A path is in its normal form here: {@link RequestRules} see to it. */
  private static boolean isAdministrative(String path) {
    return path.equals(ADMINISTRATION) || path.startsWith(ADMINISTRATION + "/");
  }
}
