package io.seckill.http;

import io.seckill.StartRefusedException;
import io.seckill.http.Entrance.Serves;
import io.seckill.http.EventLoopHttpServer.Listener;
import io.seckill.metrics.SeckillMetrics;
import io.seckill.web.Pages;
import io.seckill.web.Site;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Service;
import org.apache.camel.component.platform.http.main.DefaultMainHttpServerFactory;
import org.apache.camel.component.platform.http.plugin.JolokiaPlatformHttpPlugin;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpRouter;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpServer;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpServerConfiguration;
import org.apache.camel.main.HttpManagementServerConfigurationProperties;
import org.apache.camel.main.HttpServerConfigurationProperties;

/**
 * Gives Camel Main the {@link EventLoopHttpServer} as its main server, configured by {@code
 * camel.server.*} and {@code seckill.http.*}; the management server stays Camel's. Main creates its
 * servers before it reads configuration classes, so the factory must be in the registry earlier.
 * The factory binds what the other HTTP classes share with the server: {@link #VERTX} and {@link
 * #DISPATCHER}.
 */
public final class EventLoopHttpServerFactory extends DefaultMainHttpServerFactory {
  /** The server serves no files, so it needs no temporary folder. */
  private static final FileSystemOptions NO_TEMPORARY_FILES =
      new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);

  /** Name of the {@link Vertx} whose event loops take the requests. */
  public static final String VERTX = "vertx";

  /** Name of the {@link RequestDispatcher}. */
  public static final String DISPATCHER = "requestDispatcher";

  /** Names of the {@link HttpEdge} of the main server and of the management server. */
  static final String EDGE = "httpEdge";

  static final String MANAGEMENT_EDGE = "managementHttpEdge";

  private static final String OPERATIONS = "jolokia-operate.xml";

  /**
   * The main server.
   *
   * @throws IllegalArgumentException for options that it does not support
   */
  @Override
  public Service newHttpServer(CamelContext context, HttpServerConfigurationProperties server) {
    if (server.isAuthenticationEnabled() || server.isStaticEnabled()) {
      throw new IllegalArgumentException(
          "camel.server: authentication and static files are not supported here");
    }
    int loops = number(context, "seckill.http.event-loops");
    if (loops <= 0) {
      loops = Runtime.getRuntime().availableProcessors();
    }
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(loops)
                .setFileSystemOptions(NO_TEMPORARY_FILES));
    RequestDispatcher dispatcher = new RequestDispatcher(context::isStarted);
    context.getRegistry().bind(VERTX, vertx, null, "close");
    context.getRegistry().bind(DISPATCHER, dispatcher);
    VertxPlatformHttpServerConfiguration configuration = configuration(server);
    encrypt(context, "seckill.http.tls", configuration);
    AdminGuard guard =
        new AdminGuard(
            adminTokens(context),
            new ClientAddress(
                number(context, "seckill.throttle.trusted-proxies"),
                text(context, "seckill.throttle.forwarded-header")),
            new WrongTokens(System::nanoTime),
            () -> metrics(context).wrongAdminToken(),
            vertx);
    String allowedHosts = text(context, "seckill.http.allowed-hosts");
    String adminHost = text(context, "seckill.admin.host");
    int adminPort = number(context, "seckill.admin.port");
    Listener administration = null;
    if (adminPort > 0) {
      String host = adminHost.isEmpty() ? server.getHost() : adminHost;
      administration =
          new Listener(
              host,
              adminPort,
              new Entrance(
                  Serves.ADMINISTRATORS,
                  AllowedHosts.of(host, allowedHosts),
                  new Pages(Site.CONSOLE, Site.OPENAPI),
                  guard,
                  dispatcher));
    }
    HttpEdge edge = new HttpEdge("main", limits(context), new RequestRules(false));
    context.getRegistry().bind(EDGE, edge);
    return new EventLoopHttpServer(
        configuration,
        context,
        vertx,
        dispatcher,
        new Entrance(
            administration == null ? Serves.EVERYBODY : Serves.BUYERS,
            AllowedHosts.of(server.getHost(), allowedHosts),
            new Pages(sites(context, administration == null)),
            guard,
            dispatcher),
        administration,
        edge,
        loops);
  }

  /**
   * Camel's management server behind a {@link ManagementEntrance}, with Jolokia on {@link
   * JolokiaWorkers}. Jolokia asks for a token when other machines can reach it or it may operate.
   *
   * @throws StartRefusedException when Jolokia then has no token of its own
   * @throws IllegalArgumentException for options it would not heed
   */
  @Override
  public Service newHttpManagementServer(
      CamelContext context, HttpManagementServerConfigurationProperties management) {
    if (management.isAuthenticationEnabled()
        || management.isUploadEnabled()
        || management.isDownloadEnabled()
        || management.isSendEnabled()) {
      throw new IllegalArgumentException(
          "camel.management: authentication, upload, download and send are not supported here");
    }
    // Jolokia's own clients end its path with a slash
    HttpEdge edge = new HttpEdge("management", limits(context), new RequestRules(true));
    context.getRegistry().bind(MANAGEMENT_EDGE, edge);
    ManagementServer server = new ManagementServer(edge);
    server.setCamelContext(context);
    server.setHost(management.getHost());
    server.setPort(management.getPort());
    server.setPath(management.getPath());
    server.setUseGlobalSslContextParameters(management.isUseGlobalSslContextParameters());
    server.setInfoEnabled(management.isInfoEnabled());
    server.setInfoPath(management.getInfoPath());
    server.setDevConsoleEnabled(management.isDevConsoleEnabled());
    server.setHealthCheckEnabled(management.isHealthCheckEnabled());
    server.setHealthPath(management.getHealthPath());
    server.setMetricsEnabled(management.isMetricsEnabled());
    server.setJolokiaEnabled(management.isJolokiaEnabled());
    server.setJolokiaPath(management.getJolokiaPath());
    encrypt(context, "seckill.management.tls", server.getConfiguration());
    boolean operate = Boolean.parseBoolean(text(context, "seckill.hawtio.operate"));
    JolokiaGuard guard = null;
    if (management.isJolokiaEnabled()) {
      boolean reachable = !AllowedHosts.isLoopback(management.getHost());
      if (reachable || operate) {
        guard = guard(context, managementToken(context, reachable), operate);
      }
      addJolokia(context, management.getJolokiaPath(), operate ? guard : null);
    }
    new ManagementEntrance(
            AllowedHosts.onLoopbackOnly(
                management.getHost(), text(context, "seckill.http.allowed-hosts")),
            new AllowedOrigins(text(context, "seckill.hawtio.origins")),
            guard,
            management.getJolokiaPath())
        .install(server.getConfiguration());
    return server;
  }

  private static AdminTokens adminTokens(CamelContext context) {
    return AdminTokens.of(
        text(context, "seckill.admin.token"), text(context, AdminTokens.PROPERTY));
  }

  private static JolokiaGuard guard(CamelContext context, String looking, boolean operate) {
    return new JolokiaGuard(
        looking,
        operate ? adminTokens(context) : null,
        // no proxy of buyers stands in front of this port
        new ClientAddress(0, text(context, "seckill.throttle.forwarded-header")),
        new WrongTokens(System::nanoTime),
        vertx(context));
  }

  /**
   * @param operators knows who may operate; null when nobody may
   */
  private static void addJolokia(CamelContext context, String path, JolokiaGuard operators) {
    List<String> policies = new ArrayList<>();
    if (Boolean.parseBoolean(text(context, "seckill.hawtio.details"))) {
      policies.add("jolokia-details.xml");
    }
    if (operators != null) {
      policies.add(OPERATIONS);
    }
    JolokiaPolicy policy = new JolokiaPolicy(policies);
    context
        .getRegistry()
        .bind(
            JolokiaPlatformHttpPlugin.NAME,
            new JolokiaWorkers(
                vertx(context),
                path,
                policy,
                new JolokiaRequests(
                    policy,
                    operators == null ? null : JolokiaPolicy.load(OPERATIONS),
                    (operator, mbean, operation, arguments) ->
                        context
                            .createFluentProducerTemplate()
                            .to("direct:audit-operation")
                            .withVariable("operator", operator)
                            .withVariable("mbean", mbean)
                            .withVariable("operation", operation)
                            .withVariable("arguments", arguments)
                            .request()),
                request -> operators == null ? null : operators.operator(request)));
  }

  private static Vertx vertx(CamelContext context) {
    return context.getRegistry().lookupByNameAndType(VERTX, Vertx.class);
  }

  /**
   * The token for monitoring, which must not allow administration; empty where none is needed or
   * set.
   */
  private static String managementToken(CamelContext context, boolean needed) {
    String token = text(context, "seckill.management.token");
    if (needed && token.isEmpty()) {
      throw new StartRefusedException(
          "Other machines could reach Jolokia: set seckill.management.token, or camel.management.jolokiaEnabled=false.");
    }
    if (adminTokens(context).find(token) != null) {
      throw new StartRefusedException(
          "seckill.management.token must not be an admin token: it is for monitoring only.");
    }
    return token;
  }

  /** Where properties name a certificate. It is read again while the server runs. */
  private static void encrypt(
      CamelContext context, String prefix, VertxPlatformHttpServerConfiguration server) {
    ServerTls.of(prefix, name -> text(context, name))
        .ifPresent(
            tls -> {
              server.setSslContextParameters(tls.parameters());
              Vertx vertx = context.getRegistry().lookupByNameAndType(VERTX, Vertx.class);
              vertx.setPeriodic(
                  TimeUnit.SECONDS.toMillis(number(context, "seckill.tls.interval")),
                  timer -> vertx.executeBlocking(() -> renew(context, tls, server)));
            });
  }

  private static Void renew(
      CamelContext context, ServerTls tls, VertxPlatformHttpServerConfiguration configuration) {
    VertxPlatformHttpRouter router =
        VertxPlatformHttpRouter.lookup(
            context, VertxPlatformHttpRouter.getRouterNameFromPort(configuration.getBindPort()));
    if (context.isStarted() && router != null) {
      VertxPlatformHttpServer server = router.getServer();
      tls.renew(
          server instanceof EventLoopHttpServer own ? own.servers() : List.of(server.getServer()));
    }
    return null;
  }

  /** The shop is for trying: a buyer there is who he says he is. */
  private static Site[] sites(CamelContext context, boolean administrators) {
    boolean demo =
        text(context, "seckill.backends").equals("embedded")
            && text(context, "seckill.identity").equals("header");
    return Stream.of(Site.values())
        .filter(
            site ->
                switch (site) {
                  case DEMO -> demo;
                  case CONSOLE -> administrators;
                  case OPENAPI -> true;
                })
        .toArray(Site[]::new);
  }

  private static HttpLimits limits(CamelContext context) {
    return HttpLimits.of(property -> number(context, property));
  }

  private static VertxPlatformHttpServerConfiguration configuration(
      HttpServerConfigurationProperties server) {
    VertxPlatformHttpServerConfiguration configuration = new VertxPlatformHttpServerConfiguration();
    configuration.setBindHost(server.getHost());
    configuration.setBindPort(server.getPort());
    configuration.setPath(server.getPath());
    configuration.setMaxBodySize(server.getMaxBodySize());
    configuration.setUseGlobalSslContextParameters(server.isUseGlobalSslContextParameters());
    return configuration;
  }

  private static int number(CamelContext context, String property) {
    return Integer.parseInt(context.resolvePropertyPlaceholders("{{" + property + "}}"));
  }

  /** Looked up late, because the configuration classes make it after the server. */
  private static SeckillMetrics metrics(CamelContext context) {
    return context.getRegistry().lookupByNameAndType("seckillMetrics", SeckillMetrics.class);
  }

  /** A property; empty when it is absent. */
  private static String text(CamelContext context, String property) {
    return context.getPropertiesComponent().resolveProperty(property).orElse("").strip();
  }
}
