package io.seckill.order;

/** The epoch of a product in MySQL. */
public record ProductEpoch(long id, long epoch) {}
