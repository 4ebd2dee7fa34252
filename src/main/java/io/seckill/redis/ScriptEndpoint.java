package io.seckill.redis;

import io.seckill.book.script.Script;
import io.seckill.book.script.ScriptReply;
import io.seckill.book.script.UnknownReplyException;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.support.DefaultEndpoint;

/**
 * Runs a script on a book.
 *
 * <p>Body in: a {@link ScriptCall}. Body out: its reply, a {@link ScriptReply} of the script's own
 * type; exchange property {@value #OUTCOME} holds its outcome, too. A list of {@link ScriptCall}
 * becomes the list of replies, in the same order, in one round trip.
 *
 * <p>On a Vert.x event loop the exchange continues asynchronously, on the same loop and in the same
 * Vert.x context. On any other thread the call blocks and the exchange continues on that thread, as
 * transactions require. Fails with {@link RedisUnavailableException}, {@link ScriptException} or
 * {@link UnknownReplyException}.
 */
public final class ScriptEndpoint extends DefaultEndpoint {
  /** Exchange property: {@link ScriptReply#outcome()} of the reply. */
  public static final String OUTCOME = "outcome";

  private final ScriptRunner runner;
  private final Script<?> script;

  ScriptEndpoint(String uri, ScriptComponent component, ScriptRunner runner, Script<?> script) {
    super(uri, component);
    this.runner = runner;
    this.script = script;
  }

  @Override
  public Producer createProducer() {
    return new ScriptProducer(this, runner, script);
  }

  @Override
  public Consumer createConsumer(Processor processor) {
    throw new UnsupportedOperationException("redis-script is a producer only");
  }

  @Override
  public boolean isSingletonProducer() {
    return true;
  }
}
