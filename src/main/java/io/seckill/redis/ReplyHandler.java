package io.seckill.redis;

/** Takes what came of a call: a value, or an error and no value. Called once. */
@FunctionalInterface
public interface ReplyHandler<T> {
  void accept(T value, RuntimeException error);
}
