package io.seckill.http;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.camel.CamelContext;
import org.apache.camel.component.platform.http.plugin.JolokiaPlatformHttpPlugin;
import org.apache.camel.support.service.ServiceSupport;
import org.jolokia.json.JSONStructure;
import org.jolokia.server.core.config.ConfigKey;
import org.jolokia.server.core.config.StaticConfiguration;
import org.jolokia.server.core.http.HttpRequestHandler;
import org.jolokia.server.core.request.BadRequestException;
import org.jolokia.server.core.request.EmptyResponseException;
import org.jolokia.server.core.service.JolokiaServiceManagerFactory;
import org.jolokia.server.core.service.api.JolokiaServiceManager;
import org.jolokia.server.core.service.api.LogHandler;
import org.jolokia.server.core.service.api.Restrictor;
import org.jolokia.server.core.util.NetworkUtil;
import org.jolokia.service.serializer.JolokiaSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs Jolokia on threads of its own: Camel runs all of a management server one after the other, so
 * that health and metrics would wait for it. Calls that take seconds run one at a time; whoever
 * sends the same one meanwhile, or within a second, gets the same answer.
 */
final class JolokiaWorkers extends ServiceSupport implements JolokiaPlatformHttpPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(JolokiaWorkers.class);
  private static final int LIGHT_THREADS = 2;
  private static final long KEPT_MILLISECONDS = 1_000;

  private final Vertx vertx;
  private final String path;
  private final WorkerExecutor light;
  private final WorkerExecutor heavy;
  private final Map<Call, Future<Reply>> answers = new ConcurrentHashMap<>();
  private final Function<HttpServerRequest, Operator> operators;
  private final JolokiaRequests requests;
  private final JolokiaServiceManager services;
  private HttpRequestHandler jolokia;
  private CamelContext context;

  /** What Jolokia is told of a request; the URI has the path and the parameters. */
  private record Call(HttpMethod method, String uri, String path, Buffer body, Operator caller) {
    boolean isHeavy() {
      if (method == HttpMethod.GET) {
        return path.startsWith("/list") || path.startsWith("/exec");
      }
      try {
        Object requests = body == null ? null : Json.decodeValue(body);
        return requests instanceof JsonArray several
            ? several.stream().anyMatch(Call::isHeavy)
            : isHeavy(requests);
      } catch (DecodeException e) {
        return false; // Jolokia says what is wrong with it
      }
    }

    private static boolean isHeavy(Object request) {
      return request instanceof JsonObject one
          && ("list".equalsIgnoreCase(text(one, "type"))
              || text(one, "operation").startsWith("dump"));
    }

    private static String text(JsonObject request, String member) {
      return request.getValue(member) instanceof String text ? text : "";
    }
  }

  private record Reply(int status, Buffer body) {
    static Reply of(int status, JSONStructure body) {
      return new Reply(status, Buffer.buffer(body.toJSONString()));
    }
  }

  /**
   * @param vertx of the management server; the threads end with it
   * @param path where Jolokia is, as in {@code camel.management.jolokiaPath}
   * @param operators who asks, when it is the holder of an admin token; else null
   */
  JolokiaWorkers(
      Vertx vertx,
      String path,
      Restrictor policy,
      JolokiaRequests requests,
      Function<HttpServerRequest, Operator> operators) {
    this.vertx = vertx;
    this.path = path;
    this.requests = requests;
    this.operators = operators;
    this.light = vertx.createSharedWorkerExecutor("seckill-jolokia", LIGHT_THREADS);
    this.heavy = vertx.createSharedWorkerExecutor("seckill-jolokia-heavy", 1);
    this.services =
        JolokiaServiceManagerFactory.createJolokiaServiceManager(
            new StaticConfiguration(
                ConfigKey.AGENT_ID, NetworkUtil.getAgentId(hashCode(), "vertx")),
            new Log(),
            policy);
    services.addService(new JolokiaSerializer());
    services.addService(requests);
  }

  @Override
  protected void doStart() {
    jolokia = new HttpRequestHandler(services.start());
  }

  @Override
  protected void doStop() {
    services.stop();
  }

  @Override
  public String getId() {
    return NAME;
  }

  @Override
  public CamelContext getCamelContext() {
    return context;
  }

  @Override
  public void setCamelContext(CamelContext context) {
    this.context = context;
  }

  @Override
  public Object getHandler() {
    return (Handler<RoutingContext>) this::handle;
  }

  private void handle(RoutingContext routing) {
    HttpServerRequest request = routing.request();
    String address = request.remoteAddress().host();
    try {
      jolokia.checkAccess(request.scheme(), address, address, "");
    } catch (SecurityException e) {
      send(request.response(), Reply.of(403, jolokia.handleThrowable(e)));
      return;
    }
    Call call =
        new Call(
            request.method(),
            request.uri(),
            routing.normalizedPath().substring(path.length()),
            routing.body().buffer(),
            operators.apply(request));
    Map<String, String[]> parameters = new HashMap<>();
    for (String name : request.params().names()) {
      parameters.put(name, request.params().getAll(name).toArray(String[]::new));
    }
    ask(call, parameters)
        .onSuccess(answer -> send(request.response(), answer))
        .onFailure(routing::fail);
  }

  private Future<Reply> ask(Call call, Map<String, String[]> parameters) {
    if (!call.isHeavy()) {
      return light.executeBlocking(() -> answer(call, parameters), false);
    }
    // an operation may be among them, to be done each time
    return call.caller() != null
        ? heavy.executeBlocking(() -> answer(call, parameters), false)
        : shared(call, parameters);
  }

  private static void send(HttpServerResponse response, Reply reply) {
    if (!response.closed()) {
      response
          .setStatusCode(reply.status())
          .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
          .end(reply.body());
    }
  }

  private Future<Reply> shared(Call call, Map<String, String[]> parameters) {
    return answers.computeIfAbsent(
        call,
        absent ->
            heavy
                .executeBlocking(() -> answer(call, parameters), false)
                .onComplete(
                    done -> vertx.setTimer(KEPT_MILLISECONDS, timer -> answers.remove(call))));
  }

  /** Jolokia says within its answer how a request ended; it throws where it cannot read one. */
  private Reply answer(Call call, Map<String, String[]> parameters) {
    return requests.as(
        call.caller(),
        () -> {
          try {
            return Reply.of(200, told(call, parameters));
          } catch (IOException | EmptyResponseException | RuntimeException e) {
            int status =
                e instanceof IllegalArgumentException || e instanceof BadRequestException
                    ? 400
                    : 500;
            return Reply.of(status, jolokia.handleThrowable(e));
          }
        });
  }

  private JSONStructure told(Call call, Map<String, String[]> parameters)
      throws IOException, EmptyResponseException {
    if (call.method() == HttpMethod.GET) {
      return jolokia.handleGetRequest(call.uri(), call.path(), parameters);
    }
    byte[] body = call.body() == null ? new byte[0] : call.body().getBytes();
    return jolokia.handlePostRequest(
        call.uri(), new ByteArrayInputStream(body), StandardCharsets.UTF_8.name(), parameters);
  }

  /** Jolokia's log is ours. */
  private static final class Log implements LogHandler {
    @Override
    public void debug(String message) {
      LOG.debug(message);
    }

    @Override
    public void info(String message) {
      LOG.debug(message);
    }

    @Override
    public void error(String message, Throwable failure) {
      LOG.error(message, failure);
    }

    @Override
    public boolean isDebug() {
      return LOG.isDebugEnabled();
    }
  }
}
