package io.seckill.book.script;

/**
 * What a script answers. Each kind of answer is a record; its name is the outcome by which routes
 * tell them apart.
 */
public interface ScriptReply {
  /** The outcome's name as routes and the script's header say it, such as {@code SOLD_OUT}. */
  default String outcome() {
    return OutcomeNames.of(getClass());
  }
}
