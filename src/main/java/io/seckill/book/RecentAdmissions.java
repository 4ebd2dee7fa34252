package io.seckill.book;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Remembers the latest reservations that this node admitted, so that a rebuild can name those that
 * Redis lost before Kafka knew them. It holds a fixed number; noting one costs an increment and a
 * store. Thread-safe.
 */
public final class RecentAdmissions {
  private final AtomicReferenceArray<String> ring;
  private final AtomicInteger next = new AtomicInteger();

  /**
   * @param capacity least number of reservations to hold; rounded up to a power of two
   */
  public RecentAdmissions(int capacity) {
    if (capacity < 1 || capacity > 1 << 24) {
      throw new IllegalArgumentException("capacity must be from 1 to " + (1 << 24));
    }
    int size = Integer.highestOneBit(capacity);
    ring = new AtomicReferenceArray<>(size < capacity ? size << 1 : size);
  }

  /** Notes a new reservation. Do not note a replay of an earlier one. */
  public void note(String requestId) {
    ring.lazySet(next.getAndIncrement() & (ring.length() - 1), requestId);
  }

  /** The remembered reservations of a product, each once, oldest first. */
  public List<String> of(long productId) {
    String prefix = productId + "-";
    int end = next.get();
    Set<String> found = new LinkedHashSet<>();
    for (int i = end - ring.length(); i != end; i++) {
      String requestId = ring.get(i & (ring.length() - 1));
      if (requestId != null && requestId.startsWith(prefix)) {
        found.add(requestId);
      }
    }
    return new ArrayList<>(found);
  }
}
