package io.seckill.domain;

/** A message body that concerns one order, whose request id logs should show. */
public interface ConcernsOrder {
  /** Null when it cannot be told. */
  String requestId();
}
