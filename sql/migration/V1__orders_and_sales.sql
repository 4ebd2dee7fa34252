-- The book of orders and sales. Times are epoch milliseconds in UTC; quantities count units.

CREATE TABLE products (
  id              BIGINT       NOT NULL PRIMARY KEY,
  name            VARCHAR(200) NOT NULL,
  count           BIGINT       NOT NULL COMMENT 'units MySQL still holds: strategy B decrements it with each batch, strategy A at settlement',
  initial_stock   BIGINT       NOT NULL,
  restocked       BIGINT       NOT NULL DEFAULT 0,
  max_quantity    INT          NOT NULL DEFAULT 1,
  starts_at       BIGINT       NULL,
  ends_at         BIGINT       NULL,
  rate_per_second INT          NULL COMMENT 'null: the property seckill.throttle.product-rate',
  activity_id     BIGINT       NULL,
  state           VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'OPEN, PAUSED or ENDED; the window is judged by the book',
  epoch           BIGINT       NOT NULL DEFAULT 1 COMMENT 'raised by each rebuild',
  preheated       TINYINT      NOT NULL DEFAULT 0 COMMENT '1 once the book was written to Redis: a missing book is then a loss',
  created_at      BIGINT       NOT NULL,
  updated_at      BIGINT       NOT NULL,
  KEY k_state (state),
  CONSTRAINT c_count CHECK (count >= 0),
  CONSTRAINT c_stock CHECK (initial_stock >= 0 AND restocked >= 0 AND max_quantity >= 1)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- One row a reservation, SUCCESS or FAIL, ever (uk_request). A FAIL row is the tombstone of a compensated reservation.
-- uk_pu lets a buyer hold one live order of a product and buy again after a failure: live is NULL for a FAIL row.
CREATE TABLE seckill_orders (
  id         BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  request_id VARCHAR(96)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  product_id BIGINT       NOT NULL,
  user_id    BIGINT       NOT NULL,
  quantity   INT          NOT NULL,
  idem_key   VARCHAR(96)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'productId:userId:clientKey',
  status     VARCHAR(32)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  reason     VARCHAR(500) NULL,
  attempt    VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'the transaction attempt that inserted the row',
  epoch      BIGINT       NOT NULL,
  outbox_id  VARCHAR(41)  CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'id of the outbox entry the order came from',
  created_at BIGINT       NOT NULL,
  live       TINYINT      GENERATED ALWAYS AS (IF(status = 'SUCCESS', 1, NULL)) STORED,
  UNIQUE KEY uk_request (request_id),
  UNIQUE KEY uk_pu (product_id, user_id, live),
  UNIQUE KEY uk_idem (idem_key),
  KEY k_product (product_id),
  KEY k_user (user_id),
  CONSTRAINT c_quantity CHECK (quantity >= 1)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- Append-only: explains every change of products.count and of a sale's stock.
CREATE TABLE stock_ledger (
  id         BIGINT      NOT NULL AUTO_INCREMENT PRIMARY KEY,
  product_id BIGINT      NOT NULL,
  request_id VARCHAR(96) CHARACTER SET ascii COLLATE ascii_bin NULL,
  delta      BIGINT      NOT NULL,
  cause      VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'CREATED, RESTOCK, ORDER, SETTLEMENT',
  created_at BIGINT      NOT NULL,
  KEY k_product (product_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE restocks (
  product_id BIGINT      NOT NULL,
  idem_key   VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  units      BIGINT      NOT NULL,
  created_at BIGINT      NOT NULL,
  PRIMARY KEY (product_id, idem_key)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE settlements (
  product_id  BIGINT NOT NULL PRIMARY KEY,
  initial     BIGINT NOT NULL,
  restocked   BIGINT NOT NULL,
  sold        BIGINT NOT NULL,
  written_off BIGINT NOT NULL,
  released    BIGINT NOT NULL,
  orders      BIGINT NOT NULL COMMENT 'SUCCESS rows',
  units       BIGINT NOT NULL COMMENT 'units of the SUCCESS rows',
  discrepancy BIGINT NOT NULL COMMENT 'units - sold',
  details     TEXT   NULL COMMENT 'JSON: the orders a discrepancy concerns',
  settled_at  BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- origin is where the dead letter itself lies (topic-partition@offset): consuming it again changes nothing.
CREATE TABLE dead_letters (
  id           BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  origin       VARCHAR(200)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  source       VARCHAR(200)  CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'where the failed record lay (topic-partition@offset)',
  request_id   VARCHAR(96)   CHARACTER SET ascii COLLATE ascii_bin NULL,
  product_id   BIGINT        NULL,
  user_id      BIGINT        NULL,
  payload      MEDIUMBLOB    NOT NULL COMMENT 'the bytes of the failed record',
  cause        VARCHAR(1000) NOT NULL,
  attempts     INT           NOT NULL,
  state        VARCHAR(16)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'PARKED, COMPENSATED, REPLAYED or UNREADABLE',
  parked_until BIGINT        NULL COMMENT 'when a parked dead letter is compensated by itself',
  created_at   BIGINT        NOT NULL,
  updated_at   BIGINT        NOT NULL,
  UNIQUE KEY uk_origin (origin),
  KEY k_state (state, parked_until),
  KEY k_request (request_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE admin_audit (
  id         BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  action     VARCHAR(32)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  product_id BIGINT       NULL,
  detail     TEXT         NULL COMMENT 'JSON: what was asked',
  created_at BIGINT       NOT NULL,
  KEY k_product (product_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;
