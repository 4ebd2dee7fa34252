package io.seckill.sql;

import org.apache.camel.AsyncCallback;
import org.apache.camel.AsyncProcessor;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Processor;
import org.apache.camel.Route;
import org.apache.camel.spi.TransactedPolicy;
import org.apache.camel.spi.UnitOfWork;
import org.apache.camel.support.AsyncProcessorConverterHelper;
import org.apache.camel.support.processor.DelegateAsyncProcessor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A transaction that the calling route can run again as a whole. Camel's own policy marks a
 * rolled-back exchange as handled, so that no other error handler redelivers it. Here a failure
 * goes to the caller, as from any other step, and the caller logs it.
 *
 * <p>It rolls back when a step failed, even if an onException of the route has handled the failure.
 * A transaction inside another joins it.
 */
public final class RepeatableTransaction implements TransactedPolicy {
  private final TransactionTemplate template;

  public RepeatableTransaction(PlatformTransactionManager transactionManager) {
    this.template = new TransactionTemplate(transactionManager);
  }

  @Override
  public void beforeWrap(Route route, NamedNode definition) {
    // nothing to prepare
  }

  @Override
  public Processor wrap(Route route, Processor processor) {
    return new InTransaction(AsyncProcessorConverterHelper.convert(processor), template);
  }

  private static final class InTransaction extends DelegateAsyncProcessor {
    private final AsyncProcessor steps;
    private final TransactionTemplate template;

    private InTransaction(AsyncProcessor steps, TransactionTemplate template) {
      super(steps);
      this.steps = steps;
      this.template = template;
    }

    /** Runs all steps on this thread, because a transaction belongs to its thread. */
    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
      UnitOfWork unit = exchange.getUnitOfWork();
      unit.beginTransactedBy(template);
      try {
        template.executeWithoutResult(
            status -> {
              run(exchange);
              if (hasFailed(exchange)) {
                status.setRollbackOnly();
              }
            });
      } catch (RuntimeException e) {
        fail(exchange, e);
      } finally {
        unit.endTransactedBy(template);
      }
      callback.done(true);
      return true;
    }

    private void run(Exchange exchange) {
      try {
        steps.process(exchange);
      } catch (Exception e) {
        exchange.setException(e);
      }
    }

    private static boolean hasFailed(Exchange exchange) {
      return exchange.getException() != null
          || exchange.isRollbackOnly()
          || exchange.isRollbackOnlyLast()
          || exchange.getExchangeExtension().isErrorHandlerHandledSet()
              && exchange.getExchangeExtension().isErrorHandlerHandled();
    }

    /** Reports that the transaction itself could not begin, commit or roll back. */
    private static void fail(Exchange exchange, RuntimeException failure) {
      if (exchange.getException() != null) {
        failure.addSuppressed(exchange.getException());
      }
      exchange.setException(failure);
    }
  }
}
