package io.seckill.redis;

import io.lettuce.core.resource.EventLoopGroupProvider;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.concurrent.TimeUnit;

/** Puts a Lettuce client on an event loop of another owner. */
record GivenLoop(EventLoop loop) implements EventLoopGroupProvider {

  @Override
  public <T extends EventLoopGroup> T allocate(Class<T> type) {
    return cast(loop);
  }

  /** Lettuce asks for a group of its own kind but uses it as an EventLoopGroup only. */
  @SuppressWarnings("unchecked")
  private static <T extends EventLoopGroup> T cast(EventLoop loop) {
    return (T) loop;
  }

  @Override
  public int threadPoolSize() {
    return 1;
  }

  @Override
  public Future<Boolean> release(
      EventExecutorGroup group, long quietPeriod, long timeout, TimeUnit unit) {
    return ImmediateEventExecutor.INSTANCE.newSucceededFuture(true);
  }

  @Override
  public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
    return ImmediateEventExecutor.INSTANCE.newSucceededFuture(true);
  }
}
