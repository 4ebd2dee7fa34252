package io.seckill.drill.run;

import java.nio.file.Path;

/**
 * The command line.
 *
 * @param list only list the faults and the planted bugs
 * @param fault names, separated by commas; null for all
 * @param runs null to run each fault once
 * @param seed seed of the first run; the next ones count up
 * @param json file for the figures; null for none
 * @param servers file with addresses of given servers; null for the drill's own
 * @param controls whether to plant bugs too
 * @param control the only bugs to plant, separated by commas; null for all
 * @param minutes how long to go on with random faults; 0 to count runs instead
 * @param lanes number of runs in parallel, each with its own servers
 * @param out folder for verdicts and histories
 */
public record Options(
    boolean list,
    String fault,
    Integer runs,
    long seed,
    Path json,
    Path servers,
    boolean controls,
    String control,
    long minutes,
    int lanes,
    Path out) {
  private static final String USAGE =
      """
      Drills the application: breaks something in the middle of a sale, repairs it, and judges the result.

      bin/drill [--list] [--fault NAME] [--runs N] [--seed S] [--json FILE]
                [--controls] [--control NAME] [--lanes N] [--minutes M] [--servers FILE] [--out DIR]

      --list          list the faults and the planted bugs
      --fault NAME    drill only this fault; several with commas; redis-* for all with this beginning
      --runs N        number of runs, faults in turn (default: each fault once)
      --seed S        seed of the first run (default 1); the same fault and seed repeat a run
      --json FILE     write the figures to FILE
      --controls      plant bugs in copies of the application's files too; each must be caught (own servers only)
      --control NAME  plant only this bug; several with commas
      --lanes N       runs side by side, each with its own servers (default 1)
      --minutes M     soak: faults in random order for M minutes
      --servers FILE  use these servers (properties as in embedded.properties) and do not break them; only the
                      application and its network to Redis and MySQL are broken, with the drill's own product ids
      --out DIR       directory for pages, histories and logs (default target/drill)
      """;

  /** The usage text. */
  public static String usage() {
    return USAGE;
  }

  /**
   * @throws IllegalArgumentException when an option is unknown or has no proper value
   */
  public static Options parse(String... arguments) {
    boolean list = false;
    String fault = null;
    Integer runs = null;
    long seed = 1;
    Path json = null;
    Path servers = null;
    boolean controls = false;
    String control = null;
    long minutes = 0;
    int lanes = 1;
    Path out = Path.of("target", "drill");
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--list" -> list = true;
        case "--controls" -> controls = true;
        case "--control" -> {
          controls = true;
          control = value(arguments, ++i);
        }
        case "--fault" -> fault = value(arguments, ++i);
        case "--runs" -> runs = (int) number(arguments, ++i);
        case "--seed" -> seed = number(arguments, ++i);
        case "--json" -> json = Path.of(value(arguments, ++i));
        case "--servers" -> servers = Path.of(value(arguments, ++i));
        case "--minutes" -> minutes = number(arguments, ++i);
        case "--lanes" -> lanes = (int) number(arguments, ++i);
        case "--out" -> out = Path.of(value(arguments, ++i));
        default -> throw new IllegalArgumentException("Unknown option " + arguments[i]);
      }
    }
    if (lanes < 1) {
      throw new IllegalArgumentException("--lanes needs 1 or more");
    }
    if (servers != null && (controls || lanes > 1)) {
      throw new IllegalArgumentException(
          "Planted bugs and several lanes need servers of the drill's own: not with --servers");
    }
    return new Options(
        list, fault, runs, seed, json, servers, controls, control, minutes, lanes, out);
  }

  private static String value(String[] arguments, int i) {
    if (i >= arguments.length || arguments[i].startsWith("--")) {
      throw new IllegalArgumentException(arguments[i - 1] + " needs a value");
    }
    return arguments[i];
  }

  private static long number(String[] arguments, int i) {
    String value = value(arguments, i);
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(arguments[i - 1] + " needs a number, not " + value, e);
    }
  }
}
