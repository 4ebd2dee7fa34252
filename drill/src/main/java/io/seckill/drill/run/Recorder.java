package io.seckill.drill.run;

import io.seckill.drill.history.Event;
import io.seckill.drill.history.History;
import java.util.ArrayList;
import java.util.List;

/** Takes down what happens, from any thread, with one clock. */
public final class Recorder {
  private final long begin = System.nanoTime();
  private final long beginMillis = System.currentTimeMillis();
  private final List<Event> events = new ArrayList<>();

  /** Milliseconds since the run began. */
  public long now() {
    return (System.nanoTime() - begin) / 1_000_000;
  }

  /** The run's time of a time stamp that a server on this machine has given. */
  long sinceBegin(long epochMillis) {
    return epochMillis - beginMillis;
  }

  public synchronized void add(Event event) {
    events.add(event);
  }

  /** What the drill does, for the reader. */
  public void deed(String fault, String what) {
    add(new Event.Deed(now(), fault, what));
  }

  public synchronized History history() {
    return new History(events);
  }
}
