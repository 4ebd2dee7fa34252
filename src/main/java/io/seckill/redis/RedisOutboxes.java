package io.seckill.redis;

/** What it takes to read outboxes on this node. */
record RedisOutboxes(RedisConnections connections, ScriptRunner scripts, OutboxSignal signal) {

  OutboxReader reader(String group, String name) {
    connections.outbox().connect();
    return new OutboxReader(connections.outbox(), scripts, group, name);
  }
}
