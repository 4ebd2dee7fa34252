package io.seckill.http;

import io.seckill.answer.Problem;
import io.seckill.answer.Refusals;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpUtils;

/**
 * The way in at one address: checks the name that was asked for, keeps administration to the
 * address it has, and everything below {@code /admin} behind the {@link AdminGuard}, before any
 * route sees the request.
 */
final class Entrance implements Handler<HttpServerRequest> {
  private static final String ADMINISTRATION = "/admin";

  /** Who is served at an address. */
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

  /** Judged by the form in which the router compares paths. */
  static boolean isAdministrative(String path) {
    if (path == null) {
      return false;
    }
    String normal = path;
    if (!path.startsWith("/") || path.contains("%") || path.contains("//") || path.contains("/.")) {
      try {
        normal = HttpUtils.normalizePath(path);
      } catch (IllegalArgumentException malformed) {
        // the router compares by the same form, so no route takes it
        return false;
      }
    }
    return normal.equals(ADMINISTRATION) || normal.startsWith(ADMINISTRATION + "/");
  }
}
