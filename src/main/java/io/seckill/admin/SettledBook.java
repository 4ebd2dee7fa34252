package io.seckill.admin;

/** A row of {@code sql/settled-books.sql}: a book that is due to leave Redis. */
public record SettledBook(long productId, long epoch) {}
