package io.seckill.order;

/**
 * MySQL's stock of a product.
 *
 * @param count units that no order has taken
 */
public record ProductStock(long id, long count, long epoch) {}
