package io.seckill.domain;

/** Where a reservation stands. All but PENDING are terminal and never change. */
public enum Status {
  PENDING,
  SUCCESS,
  FAIL_SOLD_OUT,
  FAIL_DUPLICATE,
  FAIL_SYSTEM;

  public boolean isTerminal() {
    return this != PENDING;
  }
}
