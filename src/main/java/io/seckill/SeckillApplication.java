package io.seckill;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpServerConfiguration;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.DefaultMainShutdownStrategy;
import org.apache.camel.main.Main;
import org.apache.camel.main.MainListenerSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The seckill gateway: Camel Main over the routes, with the servers it needs started beside it or
 * reached at the addresses that properties give.
 *
 * <p>{@code seckill.backends} decides: {@code embedded} (default where the embedded servers are on
 * the classpath) or {@code external}. External mode refuses to start without addresses and an admin
 * token.
 */
public final class SeckillApplication implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SeckillApplication.class);

  private static final String EMBEDDED = "embedded";
  private static final String EXTERNAL = "external";

  private final Main main = new Main(SeckillApplication.class);

  private SeckillApplication(Map<String, String> overrides) {
    main.setAppName("Seckill gateway on Apache Camel");
    main.setOverrideProperties(new LinkedHashMap<>(overrides));
    main.addMainListener(new BackendsListener());
  }

  /** Runs until the process is told to stop. Exits with 1 when the application cannot start. */
  public static void main(String[] args) throws Exception {
    int exitCode;
    try (SeckillApplication application = new SeckillApplication(Map.of())) {
      exitCode = application.main.run(args);
    } catch (StartRefusedException e) {
      LOG.error(e.getMessage());
      exitCode = 1;
    }
    if (exitCode != 0) {
      System.exit(exitCode);
    }
  }

  /**
   * Starts the application inside this JVM and returns once it takes requests.
   *
   * @param overrides properties that come before those of the files, but after system properties
   *     and environment
   * @throws StartRefusedException when the configuration does not allow a start
   */
  public static SeckillApplication start(Map<String, String> overrides) throws Exception {
    SeckillApplication application = new SeckillApplication(overrides);
    ((DefaultMainShutdownStrategy) application.main.getShutdownStrategy()).disableHangupSupport();
    try {
      application.main.start();
      return application;
    } catch (Exception e) {
      application.close();
      throw e;
    }
  }

  /** The running Camel context. */
  public CamelContext camelContext() {
    return main.getCamelContext();
  }

  /** Stops Camel, then the embedded servers. Does nothing when stopped. */
  @Override
  public void close() {
    main.stop();
  }

  private final class BackendsListener extends MainListenerSupport {
    @Override
    public void beforeInitialize(BaseMainSupport base) {
      Settings settings = new Settings(base.getCamelContext().getPropertiesComponent());
      String backends = settings.find("seckill.backends").orElse(EXTERNAL);
      base.addOverrideProperty("seckill.backends", backends);
      switch (backends) {
        case EMBEDDED ->
            throw new StartRefusedException("seckill.backends=embedded: not there yet");
        case EXTERNAL -> external(settings);
        default ->
            throw new StartRefusedException(
                "seckill.backends must be embedded or external, not '" + backends + "'.");
      }
      bindHttpServer(base, settings);
    }

    private void external(Settings settings) {
      boolean minimal = "minimal".equals(settings.find("seckill.mode").orElse("full"));
      List<String> required = new ArrayList<>();
      if (!minimal) {
        required.add("seckill.redis.uri");
        required.add("seckill.kafka.brokers");
      }
      required.add("seckill.mysql.url");
      required.add("seckill.mysql.user");
      required.add("seckill.mysql.password");
      required.add("seckill.admin.token");
      List<String> missing =
          required.stream().filter(name -> settings.find(name).isEmpty()).toList();
      if (!missing.isEmpty()) {
        throw new StartRefusedException(
            "Cannot start with external servers: set "
                + String.join(", ", missing)
                + " (as system properties, or as environment variables such as "
                + Settings.environmentName(missing.get(0))
                + ").");
      }
    }

    /**
     * Camel binds routes to the port of the only configuration it finds; with two servers it would
     * guess 8080.
     */
    private void bindHttpServer(BaseMainSupport base, Settings settings) {
      if (settings.find("seckill.http.host").isEmpty()) {
        base.addOverrideProperty("seckill.http.host", "0.0.0.0");
      }
      VertxPlatformHttpServerConfiguration server = new VertxPlatformHttpServerConfiguration();
      server.setBindHost(settings.get("seckill.http.host"));
      server.setBindPort(Integer.parseInt(settings.get("seckill.http.port")));
      base.getCamelContext().getRegistry().bind("httpServerConfiguration", server);
    }
  }
}
