package io.seckill.book.script;

/** The reply of a script. Each outcome is a record; routes branch on its name. */
public interface ScriptReply {
  /** The outcome's name in routes and in the script's header, such as {@code SOLD_OUT}. */
  default String outcome() {
    return OutcomeNames.of(getClass());
  }
}
