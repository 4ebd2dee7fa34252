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

  /** Without Redis only MySQL knows what is sold, and it is asked after the 202. */
  enum Difference {
    /** Fewer units left than asked for: 202, and its result FAIL_SOLD_OUT, instead of 409. */
    SOLD_OUT_AFTER_THE_202,
    /** The same user with another key: 202, and its result FAIL_DUPLICATE, instead of 409. */
    DUPLICATE_AFTER_THE_202,
    /** So such attempts are recorded: their keys keep the answer, another key may try again. */
    KEYS_OF_SUCH_ATTEMPTS_ARE_SPENT,
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
