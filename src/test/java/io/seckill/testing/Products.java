package io.seckill.testing;

import java.util.concurrent.atomic.AtomicLong;

/** Product ids that no other test uses, in this run and in those before it. */
public final class Products {
  private static final AtomicLong NEXT = new AtomicLong(System.currentTimeMillis());

  private Products() {}

  public static long next() {
    return NEXT.incrementAndGet();
  }
}
