package io.seckill.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every statement in {@code sql} against the schema on a real server. */
class StatementsIT {
  @Test
  void shouldBeUnderstoodByTheServer() throws Exception {
    TestApplication.shared();
    List<Path> files;
    try (Stream<Path> sql = Files.list(Path.of("sql"))) {
      files = sql.filter(file -> file.toString().endsWith(".sql")).sorted().toList();
    }
    assertThat(files).isNotEmpty();
    try (Connection connection = TestServers.get().connection()) {
      for (Path file : files) {
        String statement =
            Files.readString(file)
                .replaceAll("--[^\n]*", "")
                .replaceAll(":#(in:)?(\\$\\{[^}]*}|\\w+)", "?");
        assertThatCode(() -> prepare(connection, statement))
            .as(file.toString())
            .doesNotThrowAnyException();
      }
    }
  }

  /** PREPARE of the server, which looks for tables, columns and functions. */
  private static void prepare(Connection connection, String statement) throws Exception {
    try (var sql = connection.createStatement()) {
      sql.execute("PREPARE statement_of_ours FROM '" + statement.replace("'", "''") + "'");
      sql.execute("DEALLOCATE PREPARE statement_of_ours");
    }
  }
}
