-- What other systems were told of the sales whose settlement they were not told.
SELECT m.product_id, m.kind, m.occasion
FROM products p
LEFT JOIN sale_milestones settled ON settled.product_id = p.id AND settled.kind = 'SETTLED' AND settled.occasion = 0
JOIN sale_milestones m ON m.product_id = p.id
WHERE settled.product_id IS NULL
