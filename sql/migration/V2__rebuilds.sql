-- A rebuild that has begun is remembered until it has ended, so that a crash in its middle shows and admission is not opened before it.
ALTER TABLE products
  ADD COLUMN rebuild_since BIGINT NULL COMMENT 'ms: when a rebuild began that has not ended yet' AFTER preheated;
