package io.seckill.contract;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * A way to run the application, with the rows of the contract it answers otherwise than the table
 * says.
 */
enum Mode {
  FULL_A("fulla", 2, Map.of("seckill.strategy", "A"), EnumSet.noneOf(Difference.class)),
  FULL_B("fullb", 3, Map.of("seckill.strategy", "B"), EnumSet.noneOf(Difference.class)),
  MINIMAL("minimal", 4, Map.of("seckill.mode", "minimal"), EnumSet.allOf(Difference.class));

  /** Without Redis only MySQL knows what is sold, and it is not asked before the answer. */
  enum Difference {
    /**
     * Fewer units left than asked for: 409 once this node has looked at the stock, each second;
     * until then 202, and its result FAIL_SOLD_OUT. So such an attempt is recorded: its key keeps
     * the answer, another key may try again.
     */
    SOLD_OUT_AFTER_A_202,
    /** There is no book to rebuild: 409 NO_BOOK. */
    NO_REBUILD,
    /** There are no dead letters: the list is empty, the calls for one are 404 NOT_FOUND. */
    NO_DEAD_LETTERS
  }

  final String database;
  final int redisDatabase;
  final Map<String, String> properties;
  private final Set<Difference> differences;

  Mode(
      String database,
      int redisDatabase,
      Map<String, String> properties,
      Set<Difference> differences) {
    this.database = database;
    this.redisDatabase = redisDatabase;
    this.properties = properties;
    this.differences = differences;
  }

  boolean has(Difference difference) {
    return differences.contains(difference);
  }
}
