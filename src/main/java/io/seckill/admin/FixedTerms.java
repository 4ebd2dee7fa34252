package io.seckill.admin;

/**
 * The terms that a book has fixed: the parameters of {@code sql/sale-follow-book.sql}, and of
 * {@code sql/stock-ledger-add.sql}.
 *
 * @param delta what MySQL's stock changes by
 */
public record FixedTerms(long productId, long stock, long delta, long maxQuantity) {}
