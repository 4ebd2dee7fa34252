package io.seckill.redis;

import io.seckill.book.BookKeys;
import io.seckill.book.script.RightsReply;
import java.util.stream.Collectors;

/** Checks that the user of this node's connections has all rights that the application needs. */
public final class RedisRights {
  /**
   * Checks the reply of {@code lua/rights.lua}.
   *
   * @throws MissingRightException when a command is refused
   */
  public void require(RightsReply reply) {
    if (!reply.refused().isEmpty()) {
      throw new MissingRightException(
          reply.refused().stream()
              .distinct()
              .map(
                  command ->
                      command.equals("PUBLISH") ? "PUBLISH on " + BookKeys.CHANNELS : command)
              .collect(
                  Collectors.joining(
                      ", ",
                      "the user of seckill.redis.uri may not run ",
                      " in Redis; docs/REDIS.md has the line that allows all it needs")));
    }
  }
}
