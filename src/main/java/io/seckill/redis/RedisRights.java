package io.seckill.redis;

import io.seckill.book.BookKeys;
import java.util.List;
import java.util.stream.Collectors;

/** Whether the user of this node's connections may do all that the application does. */
public final class RedisRights {
  /**
   * Takes the reply of {@code lua/rights.lua}.
   *
   * @throws MissingRightException when a command is refused
   */
  public void require(List<Object> reply) {
    if (reply.size() > 1) {
      throw new MissingRightException(
          reply.stream()
              .skip(1)
              .map(command -> command.equals("PUBLISH") ? "PUBLISH on " + BookKeys.EVENTS : command)
              .map(Object::toString)
              .collect(
                  Collectors.joining(
                      ", ",
                      "the user of seckill.redis.uri may not run ",
                      " in Redis; docs/REDIS.md has the line that allows all it needs")));
    }
  }
}
