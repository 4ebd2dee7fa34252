package io.seckill.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.util.List;
import java.util.Set;

/**
 * A command on a {@link RedisLink}. It reports once, to its {@link ReplyHandler}. Only its loop
 * touches it.
 */
public final class LinkCommand<T> extends Command<String, String, T> {
  /** First words of the errors that pass with time. */
  private static final Set<String> UNAVAILABLE =
      Set.of(
          "LOADING",
          "BUSY",
          "READONLY",
          "MASTERDOWN",
          "CLUSTERDOWN",
          "TRYAGAIN",
          "MOVED",
          "ASK",
          "OOM",
          "MISCONF",
          "NOREPLICAS",
          "NOAUTH",
          "WRONGPASS",
          "UNKILLABLE",
          NoScript.CODE);

  /** Redis does not know the script: load it and call again. */
  static final class NoScript extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final String CODE = "NOSCRIPT";

    NoScript() {
      super(CODE, null, false, false);
    }
  }

  private final ReplyHandler<T> reply;
  private final String run;
  private RedisLink link;
  private int connectionNumber;
  private boolean reported;
  private boolean settled;
  long deadline;
  boolean flushed;

  private LinkCommand(
      ProtocolKeyword type,
      CommandOutput<String, String, T> output,
      CommandArgs<String, String> args,
      String run,
      ReplyHandler<T> reply) {
    super(type, output, args);
    this.run = run;
    this.reply = reply;
  }

  /** A command that returns an array of Long, String and nested arrays. */
  public static LinkCommand<List<Object>> array(
      ProtocolKeyword type, CommandArgs<String, String> args, ReplyHandler<List<Object>> reply) {
    return new LinkCommand<>(type, new NestedMultiOutput<>(StringCodec.UTF8), args, null, reply);
  }

  /** A command that returns a text. */
  public static LinkCommand<String> text(
      ProtocolKeyword type, CommandArgs<String, String> args, ReplyHandler<String> reply) {
    return new LinkCommand<>(type, new StatusOutput<>(StringCodec.UTF8), args, null, reply);
  }

  /**
   * @param run run id of the only Redis the call may reach; null where any will do
   */
  static LinkCommand<List<Object>> evalsha(
      LuaScript script, ScriptCall call, String run, ReplyHandler<List<Object>> reply) {
    String[] keys = call.keys();
    CommandArgs<String, String> args =
        new CommandArgs<>(StringCodec.UTF8).add(script.sha1()).add(keys.length).addKeys(keys);
    for (String argument : call.arguments()) {
      args.add(argument);
    }
    return new LinkCommand<>(
        CommandType.EVALSHA, new NestedMultiOutput<>(StringCodec.UTF8), args, run, reply);
  }

  void sentOn(RedisLink sender, int connection) {
    link = sender;
    connectionNumber = connection;
  }

  /** Whether it may reach a Redis of this run id. */
  boolean mayReach(String runId) {
    return run == null || run.equals(runId);
  }

  boolean isReported() {
    return reported;
  }

  @Override
  public void complete() {
    super.complete();
    settle();
    if (getOutput().hasError()) {
      report(null, errorOf(getOutput().getError()));
    } else {
      report(getOutput().get(), null);
    }
  }

  @Override
  public boolean completeExceptionally(Throwable cause) {
    super.completeExceptionally(cause);
    settle();
    report(null, new RedisUnavailableException("Redis: " + cause.getMessage(), cause));
    return true;
  }

  @Override
  public void cancel() {
    super.cancel();
    settle();
    report(null, new RedisUnavailableException("Redis: the connection was closed"));
  }

  /** Ends the wait and drops an answer that comes later. */
  void fail(RuntimeException error) {
    report(null, error);
  }

  private void settle() {
    if (!settled) {
      settled = true;
      if (link != null) {
        link.answered(connectionNumber);
      }
    }
  }

  private void report(T value, RuntimeException error) {
    if (!reported) {
      reported = true;
      reply.accept(value, error);
    }
  }

  private static RuntimeException errorOf(String message) {
    int end = message.indexOf(' ');
    String code = end < 0 ? message : message.substring(0, end);
    if (code.equals(NoScript.CODE)) {
      return new NoScript();
    }
    if (RedisRefusal.isLackOfRights(message)) {
      return new MissingRightException(RedisRefusal.sentence(message));
    }
    if (UNAVAILABLE.contains(code)
        // Redis moves the words of an error inside a script to another place in the text
        || message.contains("OOM command not allowed")
        || message.contains("MISCONF ")
        || message.contains("READONLY ")
        || message.contains("NOREPLICAS ")) {
      return new RedisUnavailableException("Redis: " + message);
    }
    return new ScriptException(message);
  }
}
