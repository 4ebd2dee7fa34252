package io.seckill.bench.baseline;

import io.lettuce.core.RedisClient;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * The request path without Camel: Vert.x, Lettuce, the same scripts and the same answers. Plain
 * (a): both with their default settings. Tuned (a2): Lettuce on the event loop of the request, one
 * flush for each turn of the loop, and a gate for sold-out products. Neither has a throttle.
 */
final class HandWrittenServer {
  private static final String OUTBOX_LIMIT = "100000000";

  private final Vertx vertx = Vertx.vertx();
  private final String redisUri;
  private final RedisClient client;
  private final String reserve;
  private final String lookup;
  private final SoldOutGate gate;
  private final boolean tuned;

  HandWrittenServer(String redisUri, boolean tuned) {
    this.redisUri = redisUri;
    this.tuned = tuned;
    this.client = RedisClient.create(redisUri);
    var connection = client.connect();
    this.reserve = Scripts.load(connection.sync(), "reserve");
    this.lookup = Scripts.load(connection.sync(), "lookup");
    this.gate = tuned ? new SoldOutGate(vertx, connection.async()) : null;
  }

  /** One HTTP server for each event loop, all on the same port. */
  void start(int port, int loops) {
    vertx
        .deployVerticle(() -> new Loop(port), new DeploymentOptions().setInstances(loops))
        .toCompletionStage()
        .toCompletableFuture()
        .join();
  }

  private final class Loop extends AbstractVerticle {
    private final int port;
    private ScriptConnection scripts;

    private Loop(int port) {
      this.port = port;
    }

    @Override
    public void start(Promise<Void> started) {
      Future<ScriptConnection> connecting =
          tuned
              ? ScriptConnection.tuned(redisUri, context)
              : ScriptConnection.plain(client, redisUri, context);
      connecting
          .compose(
              connected -> {
                scripts = connected;
                return vertx
                    .createHttpServer()
                    .requestHandler(this::handle)
                    .listen(port, "127.0.0.1");
              })
          .<Void>mapEmpty()
          .onComplete(started);
    }

    private void handle(HttpServerRequest request) {
      String path = request.path();
      if (request.method() == HttpMethod.POST && path.startsWith("/seckill/")) {
        quantity(request, quantity -> reserve(request, quantity));
      } else if (request.method() == HttpMethod.GET && path.equals("/seckill/result")) {
        result(request);
      } else {
        Answers.invalid(request.response(), 404, "NOT_FOUND");
      }
    }

    private void reserve(HttpServerRequest request, int quantity) {
      Buyer buyer = Buyer.of(request);
      if (buyer == null) {
        return;
      }
      HttpServerResponse response = request.response();
      if (gate != null && gate.isClosedFor(buyer.productId(), buyer.userId())) {
        Answers.soldOut(response, buyer.idemKey(), 0);
        return;
      }
      scripts.call(
          reserve,
          buyer.productId(),
          (reply, failure) -> reserved(response, buyer, reply, failure),
          Long.toString(buyer.userId()),
          buyer.idemKey(),
          buyer.requestId(),
          Integer.toString(quantity),
          OUTBOX_LIMIT);
    }

    private void reserved(
        HttpServerResponse response, Buyer buyer, List<Object> reply, Throwable failure) {
      if (failure != null) {
        Answers.degraded(response, buyer.idemKey());
        return;
      }
      if (gate != null && (Long) reply.get(0) == 0 && number(reply.get(1)) == 0) {
        gate.soldOut(buyer.productId(), number(reply.get(2)));
      }
      Answers.reserved(response, buyer.productId(), buyer.idemKey(), reply);
    }

    private void result(HttpServerRequest request) {
      Buyer buyer = Buyer.ofResult(request);
      if (buyer == null) {
        return;
      }
      HttpServerResponse response = request.response();
      scripts.call(
          lookup,
          buyer.productId(),
          (reply, failure) -> {
            if (failure != null) {
              Answers.degraded(response, buyer.idemKey());
            } else {
              Answers.found(response, buyer.productId(), reply);
            }
          },
          Long.toString(buyer.userId()),
          buyer.idemKey(),
          "");
    }
  }

  private static long number(Object reply) {
    return reply instanceof Long number ? number : Long.parseLong((String) reply);
  }

  /** Reads the quantity in the body; 1 without a body. */
  static void quantity(HttpServerRequest request, IntConsumer then) {
    String length = request.getHeader("Content-Length");
    if (length == null || length.equals("0")) {
      then.accept(1);
      return;
    }
    request
        .body()
        .map(body -> new JsonObject(body).getInteger("quantity", 1))
        .onSuccess(then::accept)
        .onFailure(bad -> Answers.invalid(request.response(), 400, "INVALID_REQUEST"));
  }
}
