-- Who made an administrative call, from where, and what it changed.
ALTER TABLE admin_audit
  ADD COLUMN operator       VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'name of the admin token; null: the application itself' AFTER action,
  ADD COLUMN address        VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'IP address of the client' AFTER operator,
  ADD COLUMN dead_letter_id BIGINT      NULL AFTER product_id,
  ADD COLUMN before_change  TEXT        NULL COMMENT 'JSON: what there was; null: nothing' AFTER detail,
  ADD COLUMN after_change   TEXT        NULL COMMENT 'JSON: what there is since' AFTER before_change,
  ADD KEY k_dead_letter (dead_letter_id);
