package io.seckill.book.script;

import java.util.List;

/** The reply of {@code rebuild-stage.lua}. */
public sealed interface RebuildStageReply extends ScriptReply
    permits RebuildStageReply.Staged, RebuildStageReply.Overtaken {
  /** Entries staged so far. */
  record Staged(long entries) implements RebuildStageReply {}

  /** A rebuild of another epoch, this one, has the staging keys; null when no rebuild has begun. */
  record Overtaken(Long epoch) implements RebuildStageReply {}

  /** Reads a reply of {@code rebuild-stage.lua}. */
  static RebuildStageReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 -> new Staged(Values.number(values, 1));
      case 0 -> new Overtaken(Values.textAsNumberOrNull(values, 1));
      default -> throw Values.unknownCode(values);
    };
  }
}
