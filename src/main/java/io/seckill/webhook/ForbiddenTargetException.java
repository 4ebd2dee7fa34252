package io.seckill.webhook;

/** An endpoint's address may not be called. The message says why, in one sentence. */
final class ForbiddenTargetException extends Exception {
  ForbiddenTargetException(String reason) {
    super(reason);
  }
}
