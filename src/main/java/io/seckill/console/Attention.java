package io.seckill.console;

import io.seckill.console.Overview.Notice;

/** What may need attention, and the section of docs/OPERATIONS.md that says what to do. */
enum Attention {
  UNBALANCED("what-needs-attention"),
  BOOK_LOST("rebuilding-a-book"),
  REBUILD_REQUIRED("rebuilding-a-book"),
  BEING_REBUILT("rebuilding-a-book"),
  NOT_ADMITTED("what-needs-attention"),
  OUTBOX_OLD("health-checks"),
  DEAD_LETTERS("what-needs-attention"),
  REDIS_AWAY("health-checks"),
  MYSQL_AWAY("health-checks"),
  CHECK_DOWN("health-checks"),
  NODE_LOST("what-needs-attention");

  private final String section;

  Attention(String section) {
    this.section = section;
  }

  String section() {
    return section;
  }

  /**
   * @param detail one sentence
   */
  Notice notice(String detail) {
    return new Notice(name(), detail, section);
  }
}
