package io.seckill.drill.lab;

/** The drill itself cannot continue. This says nothing about the application. */
public final class LabException extends RuntimeException {
  public LabException(String message) {
    super(message);
  }

  public LabException(String message, Throwable cause) {
    super(message, cause);
  }
}
