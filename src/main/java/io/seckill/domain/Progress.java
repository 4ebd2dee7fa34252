package io.seckill.domain;

/** Tells whether consumers have processed everything that a topic held at a given moment. */
public interface Progress {
  /** Marks the current end of the topic. */
  Mark mark();

  /** The end of a topic at one moment. */
  interface Mark {
    /** Whether everything before the mark is processed. */
    boolean isPassed();
  }
}
