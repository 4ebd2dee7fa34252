package io.seckill.drill.run;

import io.seckill.drill.history.Event;
import io.seckill.drill.history.History;
import java.util.ArrayList;
import java.util.List;

/** Records events from any thread, with one clock. */
public final class Recorder {
  private final long begin = System.nanoTime();
  private final long beginMillis = System.currentTimeMillis();
  private final List<Event> events = new ArrayList<>();

  /** Milliseconds since the run began. */
  public long now() {
    return (System.nanoTime() - begin) / 1_000_000;
  }

  /** Converts a server's time stamp to the run's time. */
  long sinceBegin(long epochMillis) {
    return epochMillis - beginMillis;
  }

  public synchronized void add(Event event) {
    events.add(event);
  }

  /** Records a step of the drill, for the reader. */
  public void deed(String fault, String what) {
    add(new Event.Deed(now(), fault, what));
  }

  public synchronized History history() {
    return new History(events);
  }
}
