package io.seckill.domain;

/** Whether what lay in a topic at some moment has been dealt with. */
public interface Progress {
  /** Marks the present end of the topic. */
  Mark mark();

  /** A moment in a topic. */
  interface Mark {
    /** Whether everything before the mark is dealt with. */
    boolean isPassed();
  }
}
