package io.seckill.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.testing.TestServers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;

/** Rows of a real MySQL become records, and records the parameters of its statements. */
class RecordRowsIT {
  private enum Colour {
    RED
  }

  private record Terms(int maxQuantity, Integer ratePerSecond, boolean preheated) {}

  private record Row(long productId, String name, Long endsAt, Colour colour, Terms terms) {}

  private record Bytes(byte[] payload) {}

  private final RecordRows rows = new RecordRows();

  @Test
  void shouldMakeARowARecord() throws SQLException {
    assertThat(
            select(
                Row.class,
                "SELECT 7 AS product_id, 'Phone' AS name, 5000000000 AS ends_at, 'RED' AS colour,"
                    + " 2 AS max_quantity, 3 AS rate_per_second, 1 AS preheated"
                    + " UNION ALL SELECT 8, NULL, NULL, NULL, 1, NULL, 0"))
        .isEqualTo(
            List.of(
                new Row(7, "Phone", 5_000_000_000L, Colour.RED, new Terms(2, 3, true)),
                new Row(8, null, null, null, new Terms(1, null, false))));
  }

  @Test
  void shouldReadBytesAndSums() throws SQLException {
    List<?> found = select(Bytes.class, "SELECT CAST('abc' AS BINARY) AS payload");
    assertThat(((Bytes) found.get(0)).payload())
        .isEqualTo("abc".getBytes(StandardCharsets.US_ASCII));
    record Sum(long units) {}
    assertThat(select(Sum.class, "SELECT SUM(2) AS units")).isEqualTo(List.of(new Sum(2)));
  }

  @Test
  void shouldTakeTheOnlyColumnForATextOrANumber() throws SQLException {
    assertThat(select(String.class, "SELECT 'a' UNION ALL SELECT 'b'"))
        .isEqualTo(List.of("a", "b"));
    assertThat(select(Long.class, "SELECT 1")).isEqualTo(List.of(1L));
  }

  @Test
  void shouldRefuseAStatementWithoutAColumn() {
    assertThatThrownBy(() -> select(Terms.class, "SELECT 1 AS max_quantity, 0 AS preheated"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("rate_per_second")
        .hasMessageContaining("Terms");
  }

  @Test
  void shouldRefuseNullWhereThereMustBeAValue() {
    assertThatThrownBy(
            () ->
                select(
                    Terms.class,
                    "SELECT NULL AS max_quantity, 1 AS rate_per_second, 0 AS preheated"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("max_quantity");
  }

  @Test
  void shouldBindARecordToAStatement() throws Exception {
    Exchange exchange = new DefaultExchange(new DefaultCamelContext());
    NamedParameters parameters = new NamedParameters(',');
    String query = "SELECT :?name AS name, :?colour AS colour, :?endsAt AS ends_at";
    Row row = new Row(7, "Phone", null, Colour.RED, null);
    try (Connection connection = TestServers.get().connection();
        PreparedStatement statement =
            connection.prepareStatement(parameters.prepareQuery(query, true, exchange))) {
      parameters.populateStatement(
          statement, parameters.createPopulateIterator(query, query, 3, exchange, row), 3);
      record Bound(String name, Colour colour, Long endsAt) {}
      assertThat(extract(Bound.class, statement))
          .isEqualTo(List.of(new Bound("Phone", Colour.RED, null)));
    }
  }

  private List<?> select(Class<?> type, String query) throws SQLException {
    try (Connection connection = TestServers.get().connection();
        PreparedStatement statement = connection.prepareStatement(query)) {
      return extract(type, statement);
    }
  }

  private List<?> extract(Class<?> type, PreparedStatement statement) throws SQLException {
    return new RowMapperResultSetExtractor<>(rows.newBeanRowMapper(type))
        .extractData(statement.executeQuery());
  }
}
