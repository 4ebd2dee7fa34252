package io.seckill.webhook;

/** How far a delivery has come. */
public enum DeliveryState {
  /** It is still to be sent, for the first time or again. */
  WAITING,
  /** The endpoint has taken it. */
  DELIVERED,
  /** It was given up. */
  FAILED
}
