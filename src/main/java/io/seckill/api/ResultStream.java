package io.seckill.api;

import io.seckill.book.script.LookupReply.Found;
import io.seckill.http.EventStream;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells one buyer the states of his requests, then each end, on one event loop. It is over when all
 * have ended, the reader has gone, the node stops, or its time is over: then the reader asks anew.
 *
 * <p>The id of an event is a bit for each request, in the order asked, that is 1 once its end was
 * told. What a returning reader was told is left out.
 */
final class ResultStream {
  /** Milliseconds after which a browser comes back. */
  private static final int RETRY_MILLIS = 1_000;

  private static final int HEX = 16;

  private final List<Asked> asked;
  private final EventStream stream;
  private final List<Runnable> leaving = new ArrayList<>();
  private final List<Integer> open = new ArrayList<>();
  private long told;
  private boolean over;

  /**
   * @param lastEventId of the last event that the reader has; null for none
   */
  ResultStream(List<Asked> asked, String lastEventId, EventStream stream) {
    this.asked = asked;
    this.stream = stream;
    this.told = parse(lastEventId) & all();
    for (int i = 0; i < asked.size(); i++) {
      if (asked.get(i).pending() != null) {
        open.add(i);
        told &= ~(1L << i);
      }
    }
  }

  private static long parse(String lastEventId) {
    return lastEventId != null && lastEventId.matches("[0-9a-f]{1,5}")
        ? Long.parseLong(lastEventId, HEX)
        : 0;
  }

  /** Whether the reader was told all ends: nothing is left to stream. */
  boolean isTold() {
    return told == all();
  }

  private long all() {
    return (1L << asked.size()) - 1;
  }

  /**
   * Begins to wait and to tell.
   *
   * @param seconds how long it may last
   * @param whenOver runs once, later
   * @return false when nobody more may wait: then nothing was told
   */
  boolean begin(Waiters waiters, int seconds, Runnable whenOver) {
    Wait wait = new Wait(seconds, false, leaving::add);
    for (int i : List.copyOf(open)) {
      if (!waiters.await(asked.get(i).pending(), wait, found -> ended(i, found))) {
        leave();
        return false;
      }
    }
    stream.begin(
        () -> {
          leave();
          whenOver.run();
        });
    stream.write(Buffer.buffer("retry: " + RETRY_MILLIS + "\n\n"));
    for (int i = 0; i < asked.size(); i++) {
      boolean pending = open.contains(i);
      if (pending || (told & 1L << i) == 0) {
        tell(i, !pending, asked.get(i).answer().body());
      }
    }
    endWhenAllEnded();
    return true;
  }

  private void ended(int i, Found found) {
    if (over) {
      return;
    }
    if (found == null) {
      stream.end();
      return;
    }
    open.remove(Integer.valueOf(i));
    tell(i, true, ResultAnswers.answer(asked.get(i).pending().productId(), found).body());
    endWhenAllEnded();
  }

  private void tell(int i, boolean end, byte[] json) {
    if (end) {
      told |= 1L << i;
    }
    event("result", new String(json, StandardCharsets.UTF_8));
  }

  private void endWhenAllEnded() {
    if (open.isEmpty()) {
      event("complete", "{}");
      stream.end();
    }
  }

  private void event(String name, String data) {
    stream.write(
        Buffer.buffer(
            "id: " + Long.toHexString(told) + "\nevent: " + name + "\ndata: " + data + "\n\n"));
  }

  private void leave() {
    over = true;
    leaving.forEach(Runnable::run);
  }
}
