package io.seckill.http;

import io.seckill.answer.Answer;
import io.seckill.answer.Problem;
import io.seckill.answer.Refusals;
import io.seckill.web.Pages;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;

/**
 * The first handler at one address. Before any route sees a request, it checks the host name,
 * serves the {@link Pages}, refuses administration at other addresses than its own, and sends
 * everything below {@code /admin} through the {@link AdminGuard}.
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
  private final Pages pages;
  private final AdminGuard guard;
  private final Handler<HttpServerRequest> next;

  Entrance(
      Serves serves,
      AllowedHosts hosts,
      Pages pages,
      AdminGuard guard,
      Handler<HttpServerRequest> next) {
    this.serves = serves;
    this.hosts = hosts;
    this.pages = pages;
    this.guard = guard;
    this.next = next;
  }

  @Override
  public void handle(HttpServerRequest request) {
    if (!hosts.admit(request)) {
      return;
    }
    Answer page = pages.find(request);
    if (page != null) {
      ServerAnswers.send(request, page);
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
