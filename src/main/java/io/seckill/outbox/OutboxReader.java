package io.seckill.outbox;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.seckill.book.BookKeys;
import io.seckill.book.script.Script;
import io.seckill.redis.LinkCommand;
import io.seckill.redis.RedisConnections;
import io.seckill.redis.RedisLink;
import io.seckill.redis.RedisUnavailableException;
import io.seckill.redis.ScriptCall;
import io.seckill.redis.ScriptException;
import io.seckill.redis.ScriptRunner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reader of a consumer group over the outboxes of many products. Each call sends the commands
 * of all products in one round trip, one command for each stream, as Redis Cluster requires. A
 * missing stream counts as empty; a missing group is created at the stream's beginning. Use it from
 * one thread; it blocks while it waits for Redis.
 */
final class OutboxReader {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxReader.class);
  private static final String OWN_PENDING = "0";
  private static final String NEW = ">";
  private static final int WAIT_MARGIN = 2;

  private final RedisConnections connections;
  private final RedisLink link;
  private final ScriptRunner scripts;
  private final String group;
  private final String name;
  private final Set<Long> broken = new HashSet<>();
  private Optional<String> run = Optional.empty();

  /**
   * @param name name of this reader, unique in the group
   */
  OutboxReader(RedisConnections connections, ScriptRunner scripts, String group, String name) {
    this.connections = connections;
    this.link = connections.outbox();
    this.scripts = scripts;
    this.group = group;
    this.name = name;
  }

  /**
   * @param more products that may have more such entries
   * @param unsure products of which this reader may hold entries that it did not receive: the
   *     answer was lost, or the entry is gone and its id is left. {@link #reread} finds out
   */
  record Batch(List<OutboxEntry> entries, Set<Long> more, Set<Long> unsure) {}

  /**
   * Whether Redis is of another run than at the last call that said so. It may have come back from
   * an older copy, and give this reader again what it had acknowledged: {@link #reread} finds out.
   */
  boolean isRedisReplaced() {
    Optional<String> before = run;
    run = connections.runId();
    return before.isPresent() && !run.equals(before);
  }

  /** Reads new entries, at most {@code budget}, an equal share of each product. */
  Batch read(Collection<Long> products, int budget) {
    return readFrom(NEW, products, budget);
  }

  /** Reads again the entries that this reader has not acknowledged, oldest first. */
  Batch reread(Collection<Long> products, int budget) {
    return readFrom(OWN_PENDING, products, budget);
  }

  /** Takes over entries that were read at least {@code idle} ms ago and not acknowledged since. */
  Batch claim(Collection<Long> products, int budget, long idle) {
    int count = share(products, budget);
    return collect(
        products,
        count,
        productId ->
            array(
                CommandType.XAUTOCLAIM,
                args(BookKeys.outbox(productId))
                    .add(group)
                    .add(name)
                    .add(idle)
                    .add("0-0")
                    .add("COUNT")
                    .add(count)),
        reply -> (List<?>) reply.get(1));
  }

  /** Removes readers of the group that hold no entries and have been idle for {@code idle} ms. */
  void retireOthers(Collection<Long> products, long idle) {
    List<ScriptCall> calls =
        products.stream()
            .map(productId -> ScriptCall.of(productId, group, Long.toString(idle)))
            .toList();
    scripts.callAll(Script.RETIRE_READERS, calls);
  }

  /** Leaves the group wherever this reader holds no entries. */
  void leave(Collection<Long> products) {
    List<ScriptCall> calls =
        products.stream().map(productId -> ScriptCall.of(productId, group, "0", name)).toList();
    scripts.callAll(Script.RETIRE_READERS, calls);
  }

  private Batch readFrom(String position, Collection<Long> products, int budget) {
    int count = share(products, budget);
    return collect(
        products,
        count,
        productId ->
            array(
                CommandType.XREADGROUP,
                args("GROUP")
                    .add(group)
                    .add(name)
                    .add("COUNT")
                    .add(count)
                    .add("STREAMS")
                    .addKey(BookKeys.outbox(productId))
                    .add(position)),
        reply -> (List<?>) ((List<?>) reply.get(0)).get(1));
  }

  private static int share(Collection<Long> products, int budget) {
    return Math.max(1, budget / Math.max(1, products.size()));
  }

  /** Finds the entries in a command's reply. */
  private interface Entries {
    List<?> of(List<Object> reply);
  }

  private Batch collect(
      Collection<Long> products,
      int count,
      LongFunction<CompletableFuture<Optional<List<Object>>>> command,
      Entries entriesOf) {
    List<Long> asked = List.copyOf(products);
    List<CompletableFuture<Optional<List<Object>>>> replies = new ArrayList<>(asked.size());
    for (long productId : asked) {
      replies.add(command.apply(productId));
    }
    List<OutboxEntry> entries = new ArrayList<>();
    Set<Long> more = new HashSet<>();
    Set<Long> unsure = new HashSet<>();
    Map<Long, CompletableFuture<Boolean>> withoutGroup = new LinkedHashMap<>();
    for (int i = 0; i < asked.size(); i++) {
      long productId = asked.get(i);
      try {
        Optional<List<Object>> reply = await(replies.get(i));
        if (reply.isEmpty()) {
          withoutGroup.put(productId, createGroup(productId));
        } else if (!reply.get().isEmpty()) {
          List<?> found = entriesOf.of(reply.get());
          broken.remove(productId);
          add(productId, found, entries);
          if (found.contains(null)) {
            unsure.add(productId);
          }
          if (found.size() >= count) {
            more.add(productId);
          }
        }
      } catch (RedisUnavailableException e) {
        LOG.debug("Outbox of {} cannot be read", productId, e);
        unsure.add(productId);
      } catch (ScriptException e) {
        if (broken.add(productId)) {
          LOG.error("Outbox of {} cannot be read: {}", productId, e.getMessage());
        }
        unsure.add(productId);
      }
    }
    withoutGroup.forEach(
        (productId, created) -> {
          try {
            if (await(created)) {
              more.add(productId);
            }
          } catch (RedisUnavailableException e) {
            LOG.debug("Cannot create the group of the outbox of {}", productId, e);
          }
        });
    return new Batch(entries, more, unsure);
  }

  private void add(long productId, List<?> found, List<OutboxEntry> entries) {
    List<String> gone = new ArrayList<>();
    for (Object element : found) {
      List<?> entry = (List<?>) element;
      if (entry == null) {
        continue;
      }
      String id = (String) entry.get(0);
      if (!(entry.get(1) instanceof List<?> fields) || fields.isEmpty()) {
        gone.add(id);
        continue;
      }
      try {
        entries.add(OutboxEntry.of(productId, id, fields));
      } catch (IllegalArgumentException e) {
        LOG.error(
            "Outbox of {}: entry {} is not from this application's scripts ({}); it stays in the outbox",
            productId,
            id,
            e.getMessage());
      }
    }
    if (!gone.isEmpty()) {
      scripts.callAll(
          Script.ACKNOWLEDGE,
          OutboxEntry.acknowledgements(
              group, gone.stream().map(id -> new OutboxEntry(productId, id, null)).toList()));
    }
  }

  /** Creates the group. False when the product has no outbox yet. */
  private CompletableFuture<Boolean> createGroup(long productId) {
    CompletableFuture<Boolean> created = new CompletableFuture<>();
    link.send(
        LinkCommand.text(
            CommandType.XGROUP,
            args("CREATE").addKey(BookKeys.outbox(productId)).add(group).add("0"),
            (status, error) -> {
              if (error == null || error.getMessage().startsWith("BUSYGROUP")) {
                created.complete(true);
              } else if (error instanceof ScriptException) {
                created.complete(false);
              } else {
                created.completeExceptionally(error);
              }
            }),
        link.deadline());
    return created;
  }

  private CommandArgs<String, String> args(String first) {
    return new CommandArgs<>(StringCodec.UTF8).add(first);
  }

  /** The future's value is empty when the stream or the group is missing. */
  private CompletableFuture<Optional<List<Object>>> array(
      CommandType type, CommandArgs<String, String> args) {
    CompletableFuture<Optional<List<Object>>> result = new CompletableFuture<>();
    link.send(
        LinkCommand.array(
            type,
            args,
            (reply, error) -> {
              if (error == null) {
                result.complete(Optional.of(reply == null ? List.of() : reply));
              } else if (error instanceof ScriptException
                  && error.getMessage().startsWith("NOGROUP")) {
                result.complete(Optional.empty());
              } else {
                result.completeExceptionally(error);
              }
            }),
        link.deadline());
    return result;
  }

  private <T> T await(CompletableFuture<T> result) {
    return ScriptRunner.await(
        result, TimeUnit.MILLISECONDS.toMillis(WAIT_MARGIN * link.timeoutMillis()));
  }
}
