package io.seckill.order;

import org.springframework.transaction.TransactionException;

/** A product's epoch is raised while a transaction writes orders of the old one: run it again. */
public final class StaleEpochException extends TransactionException {
  public StaleEpochException(long productId) {
    super("The epoch of product " + productId + " is raised while its orders are written");
  }
}
