package io.seckill;

import io.seckill.embedded.EmbeddedServerException;
import io.seckill.reload.LiveReload;
import java.nio.charset.Charset;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.main.Main;
import org.apache.camel.main.SimpleMainShutdownStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The seckill gateway: runs the routes with Camel Main. {@link Backends} starts the embedded
 * servers or uses the addresses that the properties give.
 */
public final class SeckillApplication implements AutoCloseable {
  static {
    // before any other class loads: Camel and Kafka format numbers and change case by the default
    // locale, and some locales have other digits or another i
    Locale.setDefault(Locale.ROOT);
  }

  private static final Logger LOG = LoggerFactory.getLogger(SeckillApplication.class);

  private static final String FILE_NAME_CHARACTERS = "sun.jnu.encoding";
  private static final int STOP_LIMIT_SECONDS = 120;

  private final Main main = new Main(SeckillApplication.class);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Backends backends = new Backends();

  private SeckillApplication(Map<String, String> overrides) {
    main.setAppName("Seckill gateway on Apache Camel");
    main.setOverrideProperties(new LinkedHashMap<>(overrides));
    main.addMainListener(backends);
    main.addMainListener(new HawtioDetails());
    main.addMainListener(new LiveReload());
    main.addMainListener(new TeamPackages());
  }

  /** Runs until the process is told to stop. Exits with 1 when the application cannot start. */
  public static void main(String[] args) {
    int exitCode = new SeckillApplication(Map.of()).run(args);
    if (exitCode != 0) {
      System.exit(exitCode);
    }
  }

  private int run(String[] args) {
    Runtime.getRuntime().addShutdownHook(new Thread(this::awaitClosed, "seckill-shutdown"));
    try (this) {
      if (args.length > 0) {
        throw new StartRefusedException(
            "The application takes no arguments, but got '"
                + String.join(" ", args)
                + "': set properties instead, such as -Dseckill.http.port=8080 before -jar.");
      }
      requireExpressibleFolder();
      backends.refuseUnknownProperties();
      return main.run(args);
    } catch (Exception e) {
      LOG.error(reason(e));
      LOG.debug("Where it came from:", e);
      return 1;
    }
  }

  /**
   * Some of Java's own calls fail in a folder whose name the locale's character set cannot express.
   */
  private static boolean isFolderExpressible() {
    return Charset.forName(System.getProperty(FILE_NAME_CHARACTERS))
        .newEncoder()
        .canEncode(System.getProperty("user.dir"));
  }

  private static void requireExpressibleFolder() {
    if (!isFolderExpressible()) {
      throw new StartRefusedException(
          "The locale's character set, "
              + System.getProperty(FILE_NAME_CHARACTERS)
              + ", cannot express the name of the working directory "
              + System.getProperty("user.dir")
              + ": set LC_ALL=C.UTF-8.");
    }
  }

  /**
   * The sentence of the exception that refused the start, else the message of the innermost cause.
   */
  private static String reason(Throwable failure) {
    return StartRefusedException.in(failure)
        .map(Throwable::getMessage)
        .orElseGet(
            () -> {
              Throwable cause = failure;
              while (cause.getCause() != null && !(cause instanceof EmbeddedServerException)) {
                cause = cause.getCause();
              }
              return cause instanceof EmbeddedServerException
                  ? cause.getMessage()
                  : "The application cannot start: " + cause;
            });
  }

  /** Delays the end of the JVM until Camel and then the embedded servers have stopped. */
  private void awaitClosed() {
    try {
      if (!closed.await(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("Still stopping after {} s: ending the process", STOP_LIMIT_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Starts the application inside this JVM and returns once it takes requests.
   *
   * @param overrides properties that come before those of the files, but after system properties
   *     and environment
   * @throws StartRefusedException when the configuration does not allow a start
   * @throws EmbeddedServerException when an embedded server cannot be started
   */
  public static SeckillApplication start(Map<String, String> overrides) throws Exception {
    SeckillApplication application = new SeckillApplication(overrides);
    application.main.setShutdownStrategy(new SimpleMainShutdownStrategy());
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
    try {
      main.stop();
    } finally {
      backends.close();
      closed.countDown();
    }
  }
}
