-- Rates that operators set, in force on every node. A rate of null is none: the property seckill.throttle.<scope>-rate holds.
CREATE TABLE rate_limits (
  scope           VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'address, user, product or activity',
  subject_id      BIGINT      NOT NULL COMMENT 'the activity; 0: all of the scope',
  rate_per_second INT         NULL COMMENT '0: no limit',
  updated_at      BIGINT      NOT NULL,
  PRIMARY KEY (scope, subject_id),
  CONSTRAINT c_rate CHECK (rate_per_second >= 0)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- the sales of an activity
ALTER TABLE products ADD KEY k_activity (activity_id);
