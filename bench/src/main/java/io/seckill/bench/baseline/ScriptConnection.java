package io.seckill.bench.baseline;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.netty.channel.EventLoop;
import io.seckill.book.BookKeys;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.impl.ContextInternal;
import java.util.List;
import java.util.function.BiConsumer;

/** Calls scripts from the event loop of a baseline. */
interface ScriptConnection {
  /** Calls back on the event loop of the context that the connection was made for. */
  void call(
      String sha, long productId, BiConsumer<List<Object>, Throwable> answer, String... arguments);

  /** Lettuce with default settings: its own threads, and one flush for each command. */
  static Future<ScriptConnection> plain(RedisClient client, String redisUri, Context context) {
    return connect(client, redisUri, context)
        .map(
            connection ->
                (sha, productId, answer, arguments) ->
                    connection
                        .async()
                        .<List<Object>>evalsha(
                            sha, ScriptOutputType.MULTI, BookKeys.all(productId), arguments)
                        .whenComplete(
                            (reply, failure) ->
                                context.runOnContext(done -> answer.accept(reply, failure))));
  }

  /** Lettuce on the context's event loop, with one flush for each turn of the loop. */
  static Future<ScriptConnection> tuned(String redisUri, Context context) {
    EventLoop loop = ((ContextInternal) context).nettyEventLoop();
    ClientResources resources =
        ClientResources.builder().eventLoopGroupProvider(new OneEventLoop(loop)).build();
    return connect(RedisClient.create(resources), redisUri, context)
        .map(connection -> new FlushedOnceATurn(loop, connection));
  }

  private static Future<StatefulRedisConnection<String, String>> connect(
      RedisClient client, String redisUri, Context context) {
    return Future.fromCompletionStage(
        client.connectAsync(StringCodec.UTF8, RedisURI.create(redisUri)), context);
  }

  /** Flushes once all commands of one turn of the event loop. */
  final class FlushedOnceATurn implements ScriptConnection {
    private final EventLoop loop;
    private final StatefulRedisConnection<String, String> connection;
    private boolean flushIsDue;

    private FlushedOnceATurn(EventLoop loop, StatefulRedisConnection<String, String> connection) {
      this.loop = loop;
      this.connection = connection;
      connection.setAutoFlushCommands(false);
    }

    @Override
    public void call(
        String sha,
        long productId,
        BiConsumer<List<Object>, Throwable> answer,
        String... arguments) {
      connection
          .async()
          .<List<Object>>evalsha(sha, ScriptOutputType.MULTI, BookKeys.all(productId), arguments)
          .whenComplete(answer);
      if (!flushIsDue) {
        flushIsDue = true;
        loop.execute(this::flush);
      }
    }

    private void flush() {
      flushIsDue = false;
      connection.flushCommands();
    }
  }
}
