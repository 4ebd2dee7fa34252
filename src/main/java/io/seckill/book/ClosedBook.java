package io.seckill.book;

/** The units of a book in which nothing moves any more, as a settlement takes them. */
public interface ClosedBook {
  long initial();

  long restocked();

  long sold();

  long writtenOff();

  long released();
}
