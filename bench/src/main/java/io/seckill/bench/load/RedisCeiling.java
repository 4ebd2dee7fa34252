package io.seckill.bench.load;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.seckill.book.BookKeys;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Measures the limit of Redis: reservations a second with pipelined calls of the script and nothing
 * else. It uses redis-benchmark if that is installed, else its own client.
 */
public final class RedisCeiling {
  private static final int PIPELINE = 32;
  private static final String OUTBOX_LIMIT = "100000000";

  private RedisCeiling() {}

  /**
   * @param sha digest of reserve.lua, which is loaded already
   * @param calls how many reservations to make; the sale must have as many units
   */
  public static LoadResult run(String redisUri, String sha, long productId, long calls)
      throws IOException, InterruptedException {
    return Programs.find("redis-benchmark").isPresent()
        ? redisBenchmark(redisUri, sha, productId, calls)
        : pipelinedClient(redisUri, sha, productId, calls);
  }

  private static LoadResult redisBenchmark(String redisUri, String sha, long productId, long calls)
      throws IOException, InterruptedException {
    RedisURI uri = RedisURI.create(redisUri);
    List<String> command = new ArrayList<>();
    command.add(Programs.find("redis-benchmark").orElseThrow().toString());
    command.addAll(List.of("-h", uri.getHost(), "-p", Integer.toString(uri.getPort())));
    command.addAll(List.of("--dbnum", Integer.toString(uri.getDatabase())));
    command.addAll(List.of("-n", Long.toString(calls), "-c", "16", "--csv"));
    command.addAll(List.of("-P", Integer.toString(PIPELINE), "-r", "2000000000"));
    command.addAll(List.of("EVALSHA", sha, "4"));
    command.addAll(List.of(BookKeys.all(productId)));
    String random = "__rand_int__";
    command.addAll(List.of("9" + random, "k" + random, productId + "-9" + random + "-0"));
    command.addAll(List.of("1", OUTBOX_LIMIT));
    String output = Programs.output(command, Duration.ofMinutes(2));
    String row = output.lines().reduce((first, last) -> last).orElse("");
    double perSecond = Double.parseDouble(row.split("\",\"")[1]);
    return result("redis-benchmark", calls / perSecond, calls);
  }

  private static LoadResult pipelinedClient(
      String redisUri, String sha, long productId, long calls) {
    RedisClient client = RedisClient.create(redisUri);
    try (StatefulRedisConnection<String, String> connection = client.connect(StringCodec.ASCII)) {
      connection.setAutoFlushCommands(false);
      String[] keys = BookKeys.all(productId);
      List<RedisFuture<List<Object>>> batch = new ArrayList<>();
      long start = System.nanoTime();
      for (long user = 1; user <= calls; user++) {
        String requestId = productId + "-" + user + "-0";
        batch.add(
            connection
                .async()
                .evalsha(
                    sha,
                    ScriptOutputType.MULTI,
                    keys,
                    Long.toString(user),
                    "k" + user,
                    requestId,
                    "1",
                    OUTBOX_LIMIT));
        if (batch.size() == 16 * PIPELINE || user == calls) {
          connection.flushCommands();
          LettuceFutures.awaitAll(1, TimeUnit.MINUTES, batch.toArray(new RedisFuture<?>[0]));
          batch.clear();
        }
      }
      return result("pipelined client", (System.nanoTime() - start) / 1e9, calls);
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  private static LoadResult result(String generator, double seconds, long calls) {
    return new LoadResult(
        generator, seconds, calls, Map.of(), 0, 0, new Histogram(3), new Histogram(3), 0);
  }
}
