package io.seckill.domain;

/** A message body that concerns one order, whose request id logs should show. */
public interface ConcernsOrder {
  /** The request id; null when it is unknown. */
  String requestId();
}
