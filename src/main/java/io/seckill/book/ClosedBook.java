package io.seckill.book;

/** The final units of a book at rest, as a settlement takes them. */
public interface ClosedBook {
  long initial();

  long restocked();

  long sold();

  long writtenOff();

  long released();

  long epoch();
}
