package io.seckill.drill.fault;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How the application is started for a fault.
 *
 * @param properties the application's properties that differ from the drill's usual ones
 * @param nodes number of nodes
 * @param sentinel whether Redis has a replica and a Sentinel, whom the nodes ask for the master
 */
public record Setup(Map<String, String> properties, int nodes, boolean sentinel) {
  public static final Setup USUAL = new Setup(Map.of(), 1, false);
  public static final Setup TWO_NODES = new Setup(Map.of(), 2, false);
  static final Setup SENTINEL = new Setup(Map.of(), 2, true);

  public Setup {
    properties = Map.copyOf(properties);
  }

  public static Setup with(String name, String value) {
    return USUAL.and(name, value);
  }

  public Setup and(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(properties);
    more.put(name, value);
    return new Setup(more, nodes, sentinel);
  }
}
