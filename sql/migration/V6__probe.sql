-- What the look at MySQL's health writes: one row, over and over.
CREATE TABLE probe (
  id        TINYINT NOT NULL PRIMARY KEY,
  looked_at BIGINT  NOT NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;
