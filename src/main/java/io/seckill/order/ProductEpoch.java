package io.seckill.order;

/** The epoch of a product, as MySQL has it. */
public record ProductEpoch(long id, long epoch) {}
