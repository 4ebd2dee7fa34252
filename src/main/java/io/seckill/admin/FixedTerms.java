package io.seckill.admin;

/**
 * The terms that a book has fixed: the parameters of {@code sql/sale-follow-book.sql}, and of
 * {@code sql/stock-ledger-add.sql}.
 *
 * @param delta change of MySQL's stock
 */
public record FixedTerms(long productId, long stock, long delta, long maxQuantity) {}
