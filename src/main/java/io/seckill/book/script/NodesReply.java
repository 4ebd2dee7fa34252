package io.seckill.book.script;

import java.util.List;

/** The reply of {@code nodes.lua}. */
public sealed interface NodesReply extends ScriptReply permits NodesReply.Nodes {
  /**
   * What a node told last.
   *
   * @param seenAt ms of Redis's clock
   * @param told JSON; empty when nobody watched then
   */
  record Told(String node, long seenAt, String told) {}

  /**
   * The nodes.
   *
   * @param now ms of Redis's clock
   * @param watched whether somebody watches, at any node
   * @param nodes empty unless somebody watches at this node
   */
  record Nodes(long now, boolean watched, List<Told> nodes) implements NodesReply {}

  /** Reads a reply of {@code nodes.lua}. */
  static NodesReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 ->
          new Nodes(
              Values.number(values, 1),
              Values.flag(values, 2),
              Values.lists(values, 3).stream()
                  .map(
                      node ->
                          new Told(
                              Values.text(node, 0),
                              Values.textAsNumber(node, 1),
                              Values.text(node, 2)))
                  .toList());
      default -> throw Values.unknownCode(values);
    };
  }
}
