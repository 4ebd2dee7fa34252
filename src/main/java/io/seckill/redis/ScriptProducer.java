package io.seckill.redis;

import io.seckill.book.script.Script;
import io.seckill.book.script.ScriptReply;
import java.util.List;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.InvalidPayloadException;
import org.apache.camel.support.DefaultAsyncProducer;

/** Bridges exchanges to {@link ScriptRunner}. */
final class ScriptProducer extends DefaultAsyncProducer {
  private final ScriptRunner runner;
  private final Script<?> script;

  ScriptProducer(ScriptEndpoint endpoint, ScriptRunner runner, Script<?> script) {
    super(endpoint);
    this.runner = runner;
    this.script = script;
  }

  @Override
  public boolean process(Exchange exchange, AsyncCallback callback) {
    Object body = exchange.getMessage().getBody();
    List<ScriptCall> calls = callsOf(body);
    if (calls == null) {
      exchange.setException(new InvalidPayloadException(exchange, ScriptCall.class));
      callback.done(true);
      return true;
    }
    boolean single = body instanceof ScriptCall;
    if (RedisConnections.callingLoop() == null) {
      try {
        answer(exchange, runner.callAll(script, calls), single);
      } catch (RuntimeException e) {
        exchange.setException(e);
      }
      callback.done(true);
      return true;
    }
    runner.runAll(
        script,
        calls,
        (replies, error) -> {
          if (error == null) {
            answer(exchange, replies, single);
          } else {
            exchange.setException(error);
          }
          callback.done(false);
        });
    return false;
  }

  /** Null when the body is neither a call nor a list of calls. */
  private static List<ScriptCall> callsOf(Object body) {
    if (body instanceof ScriptCall call) {
      return List.of(call);
    }
    if (body instanceof List<?> list && list.stream().allMatch(ScriptCall.class::isInstance)) {
      return list.stream().map(ScriptCall.class::cast).toList();
    }
    return null;
  }

  private static void answer(
      Exchange exchange, List<? extends ScriptReply> replies, boolean single) {
    if (single) {
      ScriptReply reply = replies.get(0);
      exchange.getMessage().setBody(reply);
      exchange.setProperty(ScriptEndpoint.OUTCOME, reply.outcome());
    } else {
      exchange.getMessage().setBody(replies);
    }
  }
}
