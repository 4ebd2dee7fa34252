package io.seckill.book.script;

/**
 * A script gave a reply that this application does not know, because the two have different
 * versions. It is a fault of the application, never of a request or a record.
 */
public final class UnknownReplyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownReplyException(String script, Object code, Throwable cause) {
    super(
        "lua/"
            + script
            + ".lua answered with code "
            + code
            + ", or with values, that this application does not know",
        cause);
  }
}
