package io.seckill.drill.lab;

/** A process that can be broken. It keeps its address and data over a restart. */
public interface Machine {
  String name();

  /** Starts it and returns when it answers. Does nothing when it runs. */
  void start();

  /** Ends it in good order. */
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
