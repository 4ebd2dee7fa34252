package io.seckill.webhook;

/** The activity of a product: a row of {@code sql/webhook-activities.sql}. */
public record ProductActivity(long productId, long activityId) {}
