package io.seckill.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.TransactionSystemException;

class MySqlFaultTest {
  @ParameterizedTest
  @CsvSource({
    "1290, READ_ONLY",
    "1792, READ_ONLY",
    "1836, READ_ONLY",
    "1114, NO_ROOM",
    "1021, NO_ROOM",
    "1142, NO_RIGHT",
    "1205, BUSY",
    "1213, BUSY"
  })
  void shouldTellWhyMySqlDoesNotDoIt(int code, MySqlFault fault) {
    SQLException cause = new SQLException("the server's text", "HY000", code);
    assertThat(MySqlFault.of(new UncategorizedSQLException("task", "INSERT", cause)))
        .contains(fault);
  }

  @Test
  void shouldReadTheNumberOfTheStorageEngine() {
    assertThat(MySqlFault.of(new SQLException("Got error 28 from storage engine", "HY000", 1030)))
        .contains(MySqlFault.NO_ROOM);
    assertThat(MySqlFault.of(new SQLException("Got error 168 from storage engine", "HY000", 1030)))
        .isEmpty();
  }

  @Test
  void shouldTellThatMySqlWentAwayInTheMiddle() {
    SQLException closed = new SQLException("Connection is closed");
    assertThat(MySqlFault.isAway(new TransactionSystemException("JDBC rollback failed", closed)))
        .isTrue();
    assertThat(MySqlFault.isAway(new SQLException("Communications link failure", "08S01")))
        .isTrue();
    assertThat(MySqlFault.isAway(new SQLException("Unknown column", "42S22", 1054))).isFalse();
    assertThat(MySqlFault.isAway(new IllegalStateException("no database at all"))).isFalse();
  }

  @Test
  void shouldLeaveMistakesOfStatementsAlone() {
    assertThat(MySqlFault.of(new SQLException("Unknown column", "42S22", 1054))).isEmpty();
    assertThat(MySqlFault.of(new SQLException("Duplicate entry", "23000", 1062))).isEmpty();
    assertThat(MySqlFault.of(new IllegalStateException("no database at all"))).isEmpty();
    assertThat(MySqlFault.of(null)).isEmpty();
  }
}
