package io.seckill.drill.lab;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Sends signals that Java has no method for. */
final class Signals {
  private static final int LIMIT_SECONDS = 10;

  private Signals() {}

  static void send(String signal, long pid) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start();
      if (!kill.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
        throw new LabException("kill -" + signal + " " + pid + " failed");
      }
    } catch (IOException e) {
      throw new LabException("Cannot send SIG" + signal + " to " + pid, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LabException("Interrupted", e);
    }
  }
}
