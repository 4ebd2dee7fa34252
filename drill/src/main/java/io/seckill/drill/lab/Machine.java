package io.seckill.drill.lab;

/** A process that can be hurt. It keeps its address and its data over an end and a new start. */
public interface Machine {
  String name();

  /** Starts and returns once it answers. Does nothing when it runs. */
  void start();

  /** Ends in good order. */
  void stop();

  /** SIGKILL. */
  void kill();

  /** SIGSTOP: it stands still, its connections stay open. */
  default void suspend() {
    Signals.send("STOP", pid());
  }

  /** SIGCONT. */
  default void resume() {
    Signals.send("CONT", pid());
  }

  long pid();

  boolean isRunning();
}
