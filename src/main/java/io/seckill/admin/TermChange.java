package io.seckill.admin;

/**
 * New terms of a sale: the parameters of {@code sql/sale-update.sql}, and of {@code
 * sql/stock-ledger-add.sql}.
 *
 * @param delta change of the stock
 */
public record TermChange(
    long productId,
    String name,
    long stock,
    long delta,
    int maxQuantity,
    Long startsAt,
    Long endsAt,
    Integer ratePerSecond,
    Long activityId) {}
