-- A settled sale's book leaves Redis some time after its settlement; one with a discrepancy stays, to be looked into.
ALTER TABLE settlements
  ADD COLUMN book_left_at BIGINT NULL COMMENT 'when the book was taken out of Redis';
