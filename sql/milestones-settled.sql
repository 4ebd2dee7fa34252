-- The sales whose settlement other systems were not told.
SELECT p.id AS product_id, p.name, p.initial_stock AS stock, p.restocked, p.max_quantity, p.starts_at, p.ends_at,
       p.rate_per_second, p.activity_id, p.state, p.epoch, p.preheated,
       s.initial + s.restocked - s.sold - s.written_off AS `left`
FROM settlements s
JOIN products p ON p.id = s.product_id
LEFT JOIN sale_milestones m ON m.product_id = s.product_id AND m.kind = 'SETTLED' AND m.occasion = 0
WHERE m.product_id IS NULL
