package io.seckill.domain;

/**
 * What a node last saw of a book in Redis. It may be a second old: use it to tell buyers how a sale
 * stands, never to decide who gets a unit.
 *
 * @param moves the book's counter of changes
 * @param epoch raised by each adoption and each rebuild of the book
 */
public record BookSnapshot(long available, long pending, long moves, long epoch) {}
