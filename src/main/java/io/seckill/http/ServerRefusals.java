package io.seckill.http;

import io.seckill.answer.Problem;
import io.seckill.answer.Refusals;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import org.apache.camel.CamelContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers with problems the requests that reach no route. */
final class ServerRefusals {
  private static final Logger LOG = LoggerFactory.getLogger(ServerRefusals.class);

  private final CamelContext context;
  private final RequestDispatcher dispatcher;

  ServerRefusals(CamelContext context, RequestDispatcher dispatcher) {
    this.context = context;
    this.dispatcher = dispatcher;
  }

  /**
   * Lets a router answer HEAD as GET. The server leaves the body out. The route takes every method,
   * because Vert.x answers 405 for a path that only a route of another method takes.
   */
  static void answerHead(Router router) {
    router
        .route()
        .order(-1)
        .handler(
            routing -> {
              if (routing.request().method().equals(HttpMethod.HEAD)) {
                routing.reroute(HttpMethod.GET, routing.request().uri());
              } else {
                routing.next();
              }
            });
  }

  /** Makes the router answer its refusals and its handlers' failures with problems. */
  void install(Router router) {
    answerHead(router);
    router.route().order(Integer.MAX_VALUE).failureHandler(this::refuse);
    for (int status : new int[] {400, 404, 405, 406, 413, 415, 500}) {
      router.errorHandler(status, this::refuse);
    }
  }

  private void refuse(RoutingContext routing) {
    int status = routing.statusCode() < 400 ? 500 : routing.statusCode();
    HttpServerRequest request = routing.request();
    if (status >= 500 && routing.failure() != null) {
      LOG.error(
          "{} {} failed in the HTTP server", request.method(), request.path(), routing.failure());
    }
    if (status == 413) {
      ServerAnswers.sendAndClose(request, Problem.of(Refusals.bodyTooLarge()));
      return;
    }
    if (status != 404 && status != 405) {
      ServerAnswers.send(request, Problem.of(Refusals.ofServer(status)));
      return;
    }
    String allowed = request.path() == null ? "" : dispatcher.allowed(request.path());
    if (!context.isStarted()) {
      ServerAnswers.send(request, Problem.of(Refusals.unavailable()));
    } else if (allowed.isEmpty()) {
      ServerAnswers.send(request, Problem.of(Refusals.ofServer(404)));
    } else {
      ServerAnswers.send(request, Problem.of(Refusals.ofServer(405)).with("Allow", allowed));
    }
  }
}
