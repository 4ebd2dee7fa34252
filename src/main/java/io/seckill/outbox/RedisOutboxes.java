package io.seckill.outbox;

import io.seckill.redis.RedisConnections;
import io.seckill.redis.ScriptRunner;

/** The parts that read outboxes on this node. */
public record RedisOutboxes(
    RedisConnections connections, ScriptRunner scripts, OutboxSignal signal) {

  OutboxReader reader(String group, String name) {
    connections.outbox().connect();
    return new OutboxReader(connections, scripts, group, name);
  }
}
