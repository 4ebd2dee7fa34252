package io.seckill.sale;

/** A row of {@code sql/milestones-told.sql}: what other systems were told of a sale. */
public record ToldMilestone(long productId, Milestone.Kind kind, long occasion) {}
