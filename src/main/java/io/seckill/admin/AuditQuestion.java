package io.seckill.admin;

/**
 * Which audit rows to show: the parameters of {@code sql/admin-audit-page.sql}.
 *
 * @param productId null for all products
 * @param all 1 for all products, else 0
 * @param before the page ends before this id
 */
public record AuditQuestion(Long productId, int all, long before, int limit) {}
