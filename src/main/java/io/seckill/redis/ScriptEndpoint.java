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
 * <p>Body in: a {@link ScriptCall}; body out: its reply, a {@link ScriptReply} of the script's own
 * type, whose outcome is also exchange property {@value #OUTCOME}. Body in: a list of {@link
 * ScriptCall}; body out: the list of replies, made in one round trip, in the same order.
 *
 * <p>On a Vert.x event loop the exchange goes on asynchronously, on the same loop and in the same
 * Vert.x context; on any other thread the call waits and the exchange goes on on that thread, as
 * transactions need it. Fails with {@link RedisUnavailableException}, {@link ScriptException} or
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
    throw new UnsupportedOperationException("redis-script only runs scripts");
  }

  @Override
  public boolean isSingletonProducer() {
    return true;
  }
}
