package io.seckill.order;

/** A row of {@code sql/find-ends.sql}: the id of the first or the last order of a batch. */
public record OrderEnd(long id) {}
