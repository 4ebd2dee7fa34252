package io.seckill.ops;

import java.util.Locale;
import org.apache.camel.StaticService;
import org.apache.camel.api.management.ManagedOperation;
import org.apache.camel.api.management.ManagedResource;
import org.apache.camel.support.service.ServiceSupport;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;

/** Shows and sets the levels of loggers, until the application ends, as an MBean of Camel's. */
@ManagedResource(description = "Levels of loggers")
public final class LogLevels extends ServiceSupport implements StaticService {
  /** The level that a logger has, its own or that of one above it. */
  @ManagedOperation(description = "The level of a logger")
  public String level(String logger) {
    return LogManager.getLogger(logger).getLevel().name();
  }

  /**
   * Sets the level of a logger and of those below it that have none of their own.
   *
   * @throws IllegalArgumentException for what is no level
   */
  @ManagedOperation(description = "Set the level of a logger: OFF, ERROR, WARN, INFO, DEBUG, TRACE")
  public void setLevel(String logger, String level) {
    Configurator.setLevel(logger, Level.valueOf(level.toUpperCase(Locale.ROOT)));
  }
}
