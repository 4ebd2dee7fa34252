package io.seckill.bench.run;

/**
 * What Redis and MySQL hold of one sale after a run.
 *
 * @param orders rows with status SUCCESS
 * @param ordered their units
 * @param doubleBuyers buyers with more than one SUCCESS row
 */
record Book(
    long productId,
    long initial,
    long restocked,
    long available,
    long pending,
    long sold,
    long writtenOff,
    long outbox,
    long orders,
    long ordered,
    long doubleBuyers) {

  /** Units taken from the stock. */
  long taken() {
    return pending + sold + writtenOff;
  }
}
