-- What other systems were told of each sale (seckill.results=on). Sales that are settled already are not told of.
CREATE TABLE sale_milestones (
  product_id BIGINT      NOT NULL,
  kind       VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'OPENED, SOLD_OUT, ENDED or SETTLED',
  occasion   BIGINT      NOT NULL COMMENT 'tells the repetitions of a kind apart',
  told_at    BIGINT      NOT NULL,
  PRIMARY KEY (product_id, kind, occasion)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

INSERT INTO sale_milestones (product_id, kind, occasion, told_at)
SELECT s.product_id, 'SETTLED', 0, s.settled_at
FROM settlements s
LEFT JOIN sale_milestones m ON m.product_id = s.product_id AND m.kind = 'SETTLED' AND m.occasion = 0
WHERE m.product_id IS NULL;
