package io.seckill.order;

import org.springframework.transaction.TransactionException;

/** A product was rebuilt while a transaction wrote orders of its old epoch: run it again. */
public final class StaleEpochException extends TransactionException {
  public StaleEpochException(long productId) {
    super("Product " + productId + " was rebuilt while its orders were written");
  }
}
