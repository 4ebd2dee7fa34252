package io.seckill.drill.run;

import io.seckill.drill.fault.Fault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Decides which fault strikes in which run. The same options give the same schedule. */
final class Schedule {
  /** One run to come. */
  record Entry(Fault fault, long seed) {}

  private Schedule() {}

  /**
   * Faults in turn; each run has its own seed. Runs with the same settings of the application
   * follow each other, which saves starts.
   */
  static List<Entry> inTurn(List<Fault> faults, int runs, long seed) {
    List<Entry> entries = new ArrayList<>();
    boolean even = faults.size() % 2 == 0;
    for (int i = 0; i < runs; i++) {
      // each fault gets every kind of seed in turn, whatever the number of faults
      int shift = even ? i / faults.size() : 0;
      entries.add(new Entry(faults.get(i % faults.size()), seed + i + shift));
    }
    sort(entries);
    return entries;
  }

  /** Moves runs with the same settings together and keeps the order otherwise. */
  private static void sort(List<Entry> entries) {
    entries.sort(
        Comparator.comparing((Entry entry) -> Run.strategyOf(entry.fault(), entry.seed()))
            .thenComparing(entry -> entry.fault().setup().properties().toString())
            .thenComparing(entry -> entry.fault().setup().nodes()));
  }

  /**
   * Rounds of all faults in random order. Within a round, runs with the same settings follow each
   * other.
   */
  static List<Entry> shuffled(List<Fault> faults, int runs, long seed) {
    Random random = new Random(seed);
    List<Entry> entries = new ArrayList<>();
    List<Fault> order = new ArrayList<>(faults);
    while (entries.size() < runs) {
      Collections.shuffle(order, random);
      List<Entry> round = new ArrayList<>();
      for (Fault fault : order.subList(0, Math.min(order.size(), runs - entries.size()))) {
        round.add(new Entry(fault, seed + entries.size() + round.size()));
      }
      sort(round);
      entries.addAll(round);
    }
    return entries;
  }

  /**
   * The faults that an option names.
   *
   * @param names separated by commas; a name that ends with {@code *} means all faults with that
   *     prefix; null for all
   */
  static List<Fault> named(Map<String, Fault> all, String names, boolean ownServers) {
    List<Fault> possible =
        all.values().stream().filter(fault -> ownServers || !fault.ownServers()).toList();
    if (names == null) {
      return possible;
    }
    List<Fault> faults = new ArrayList<>();
    for (String name : names.split(",")) {
      List<Fault> found = possible.stream().filter(fault -> matches(fault, name)).toList();
      if (found.isEmpty()) {
        throw new IllegalArgumentException("No fault is named " + name + ": see --list");
      }
      faults.addAll(found);
    }
    return faults;
  }

  private static boolean matches(Fault fault, String name) {
    return name.endsWith("*")
        ? fault.name().startsWith(name.substring(0, name.length() - 1))
        : fault.name().equals(name);
  }
}
