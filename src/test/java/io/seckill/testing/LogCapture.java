package io.seckill.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What is logged while a test listens. */
public final class LogCapture extends AbstractAppender implements AutoCloseable {
  private final List<LogEvent> events = new CopyOnWriteArrayList<>();
  private final LoggerContext context;

  private LogCapture(LoggerContext context) {
    super("capture", null, null, false, Property.EMPTY_ARRAY);
    this.context = context;
  }

  /** Listens until it is closed. */
  public static LogCapture begin() {
    LogCapture capture = new LogCapture((LoggerContext) LogManager.getContext(false));
    capture.listen();
    return capture;
  }

  private void listen() {
    start();
    context.getConfiguration().getRootLogger().addAppender(this, null, null);
    context.updateLoggers();
  }

  @Override
  public void append(LogEvent event) {
    events.add(event.toImmutable());
  }

  /** The events so far of a logger, the oldest first. */
  public List<LogEvent> of(String logger) {
    return events.stream().filter(event -> event.getLoggerName().equals(logger)).toList();
  }

  /** All events so far, the oldest first. */
  public List<LogEvent> all() {
    return List.copyOf(events);
  }

  @Override
  public void close() {
    context.getConfiguration().getRootLogger().removeAppender(getName());
    context.updateLoggers();
    stop();
  }
}
