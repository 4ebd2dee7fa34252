-- The endpoints of other systems, and the events that are sent to them. Times are epoch milliseconds of MySQL's clock.
CREATE TABLE webhooks (
  id                  BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  url                 VARCHAR(2048) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  events              VARCHAR(1000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'types of events, with commas between them',
  product_id          BIGINT        NULL COMMENT 'null: events of all products',
  activity_id         BIGINT        NULL COMMENT 'null: events of all activities',
  active              BOOLEAN       NOT NULL,
  switched_off        VARCHAR(16)   CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'why the application switched it off',
  secret              VARCHAR(128)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  former_secret       VARCHAR(128)  CHARACTER SET ascii COLLATE ascii_bin NULL,
  former_secret_until BIGINT        NULL COMMENT 'until then both secrets sign',
  created_at          BIGINT        NOT NULL,
  updated_at          BIGINT        NOT NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- One row for each event and each endpoint that asks for it.
CREATE TABLE webhook_deliveries (
  id           BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  webhook_id   BIGINT       NOT NULL,
  event_id     VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  event_type   VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  body         BLOB         NOT NULL COMMENT 'what is sent, the same at each try',
  state        VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'WAITING, DELIVERED or FAILED',
  attempts     INT          NOT NULL,
  answer_code  INT          NULL,
  answer       VARCHAR(255) NULL COMMENT 'of the last try',
  took_ms      BIGINT       NULL,
  attempted_at BIGINT       NULL,
  due_at       BIGINT       NULL COMMENT 'the next try, or the end of the lease of the node that tries it; null: none',
  created_at   BIGINT       NOT NULL,
  UNIQUE KEY uk_event (webhook_id, event_id),
  KEY k_due (webhook_id, due_at),
  KEY k_created (created_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;
