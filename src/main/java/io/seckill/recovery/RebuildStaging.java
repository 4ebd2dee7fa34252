package io.seckill.recovery;

import io.seckill.answer.Refusal;
import io.seckill.book.script.RebuildStageReply;
import io.seckill.book.script.RebuildStageReply.Staged;
import io.seckill.redis.ScriptCall;
import java.util.List;
import org.apache.camel.Body;
import org.apache.camel.Variable;

/** Builds the new book under staging keys, from the pages of a snapshot. */
public final class RebuildStaging {

  public List<ScriptCall> begin(@Variable("snapshot") OrderSnapshot snapshot) {
    return List.of(snapshot.beginStaging());
  }

  public List<ScriptCall> stages(@Variable("snapshot") OrderSnapshot snapshot) {
    return snapshot.stages();
  }

  /**
   * Checks that the staged entries belong to this rebuild.
   *
   * @param replies of {@code rebuild-stage.lua}
   * @throws Refusal 409 REBUILDING
   */
  public void requireStaged(
      @Variable("productId") long productId, @Body List<RebuildStageReply> replies) {
    for (RebuildStageReply reply : replies) {
      if (!(reply instanceof Staged)) {
        throw overtaken(productId);
      }
    }
  }

  static Refusal overtaken(long productId) {
    return Refusal.of(409, "REBUILDING", "Another rebuild of this sale has overtaken this one.")
        .with("productId", productId)
        .retryAfter(1);
  }
}
