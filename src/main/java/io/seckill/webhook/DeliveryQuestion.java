package io.seckill.webhook;

/**
 * Which deliveries to show: the parameters of {@code sql/webhook-deliveries-page.sql}.
 *
 * @param state a {@link DeliveryState}, or empty for all
 * @param before id that the page begins below
 */
public record DeliveryQuestion(String state, long before, int limit) {}
