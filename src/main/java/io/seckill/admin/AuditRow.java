package io.seckill.admin;

import io.seckill.http.Operator;

/**
 * A new row of {@code admin_audit}: the parameters of {@code sql/admin-audit-add.sql}.
 *
 * @param operator name of the admin token; null when the application acts by itself
 * @param address the client's IP address; null likewise
 * @param productId null when it is about no product; the same for deadLetterId
 * @param detail JSON: what was asked
 * @param before JSON: what there was; null for nothing
 * @param after JSON: what there is since; null when it is not known yet
 */
public record AuditRow(
    String action,
    String operator,
    String address,
    Long productId,
    Long deadLetterId,
    String detail,
    String before,
    String after) {

  static AuditRow of(
      String action,
      Operator by,
      Long productId,
      Long deadLetterId,
      String detail,
      String before,
      String after) {
    return new AuditRow(
        action,
        by == null ? null : by.name(),
        by == null ? null : by.address(),
        productId,
        deadLetterId,
        detail,
        before,
        after);
  }
}
