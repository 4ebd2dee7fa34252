package io.seckill.order;

import org.apache.camel.AsyncCallback;
import org.apache.camel.AsyncProcessor;
import org.apache.camel.Exchange;
import org.apache.camel.LoggingLevel;
import org.apache.camel.Processor;
import org.apache.camel.Route;
import org.apache.camel.spi.CamelLogger;
import org.apache.camel.spring.spi.LegacyTransactionErrorHandlerBuilder;
import org.apache.camel.spring.spi.SpringTransactionPolicy;
import org.apache.camel.support.AsyncProcessorConverterHelper;
import org.apache.camel.support.processor.DelegateAsyncProcessor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * A transaction that the calling route can run again as a whole. Camel's transaction marks an
 * exchange it rolled back as dealt with, and then no other error handler redelivers it; here a
 * failure that no onException handled goes to the caller like any other. It is the caller who tells
 * of it.
 */
public final class RepeatableTransaction extends SpringTransactionPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(RepeatableTransaction.class);

  public RepeatableTransaction(PlatformTransactionManager transactionManager) {
    super(transactionManager);
  }

  /**
   * As Camel's, but the route keeps its own error handler: Camel's would put a second transaction
   * handler around this one, and that marks the exchange again.
   */
  @Override
  public Processor wrap(Route route, Processor processor) {
    LegacyTransactionErrorHandlerBuilder transaction = new LegacyTransactionErrorHandlerBuilder();
    transaction.setTransactionTemplate(getTransactionTemplate());
    transaction.setSpringTransactionPolicy(this);
    transaction.setLogger(new CamelLogger(LOG, LoggingLevel.DEBUG));
    transaction.setRollbackLoggingLevel(LoggingLevel.DEBUG);
    return new Unmarking(
        AsyncProcessorConverterHelper.convert(
            createTransactionErrorHandler(route, processor, transaction)));
  }

  private static final class Unmarking extends DelegateAsyncProcessor {
    private Unmarking(AsyncProcessor transaction) {
      super(transaction);
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
      return super.process(
          exchange,
          doneSync -> {
            if (exchange.getException() != null) {
              unmark(exchange);
            }
            callback.done(doneSync);
          });
    }

    private static void unmark(Exchange exchange) {
      exchange.getExchangeExtension().setFailureHandled(false);
      exchange.getExchangeExtension().setErrorHandlerHandled(null);
      exchange.getExchangeExtension().setRedeliveryExhausted(false);
    }
  }
}
