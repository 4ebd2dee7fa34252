-- Takes longer than the connection's limit for a statement.
SELECT SLEEP(3);
CREATE TABLE after_the_slow (id INT NOT NULL PRIMARY KEY);
