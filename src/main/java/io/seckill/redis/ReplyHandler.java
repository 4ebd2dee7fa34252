package io.seckill.redis;

/** Takes the result of a call: a value, or an error without a value. Called once. */
@FunctionalInterface
public interface ReplyHandler<T> {
  void accept(T value, RuntimeException error);
}
