package io.seckill.admin;

/**
 * A row of {@code sql/admin-audit-page.sql}. Detail, beforeChange and afterChange are JSON or null;
 * createdAt is epoch milliseconds.
 *
 * @param operator null when the application acted by itself, and for rows from before tokens had
 *     names
 */
public record ShownAudit(
    long id,
    String action,
    String operator,
    String address,
    Long productId,
    Long deadLetterId,
    String detail,
    String beforeChange,
    String afterChange,
    long createdAt) {}
