package io.seckill.admin;

/**
 * A row of {@code sql/activities.sql}.
 *
 * @param ratePerSecond null where operators set none
 * @param sales how many sales belong to the activity
 */
public record ActivityRow(long activityId, Integer ratePerSecond, long sales) {}
