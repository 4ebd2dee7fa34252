package io.seckill.admin;

/**
 * A row of {@code sql/activities.sql}.
 *
 * @param ratePerSecond null when operators set none
 * @param sales number of the activity's sales
 */
public record ActivityRow(long activityId, Integer ratePerSecond, long sales) {}
