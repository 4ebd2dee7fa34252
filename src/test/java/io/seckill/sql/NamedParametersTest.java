package io.seckill.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.RuntimeExchangeException;
import org.apache.camel.component.sql.DefaultSqlPrepareStatementStrategy;
import org.apache.camel.component.sql.SqlPrepareStatementStrategy;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Camel's own strategy tells what is right. */
class NamedParametersTest {
  private final SqlPrepareStatementStrategy camels = new DefaultSqlPrepareStatementStrategy();
  private final SqlPrepareStatementStrategy ours = new NamedParameters(',');
  private final Exchange exchange = new DefaultExchange(new DefaultCamelContext());

  NamedParametersTest() {
    exchange.getIn().setHeader("a", "a of the headers");
    exchange.getIn().setHeader("h", "h of the headers");
    exchange.setVariable("h", "h of the variables");
    exchange.setVariable("v", "v of the variables");
    exchange.setVariable("three", List.of(7, 8, 9));
    exchange.setVariable("lists", List.of(List.of(), List.of(7, 8, 9)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t VALUES (:?a, :?b, :?h, :?v)",
        "INSERT INTO t VALUES (:?v, :?b, :?a) ON DUPLICATE KEY UPDATE a = :?a",
        "UPDATE t SET c = ':x' WHERE a = :?a",
        "UPDATE t SET a = :?a WHERE b = :?${body[b]}",
        "UPDATE t SET a = :?${body[b]}, c = :?${variable.lists[1][0]}",
        "DELETE FROM t WHERE a = :?a AND id IN (:?in:ids)",
        "DELETE FROM t WHERE id IN (:?in:${variable.three}) AND a = :?a AND b IN (:?in:ids)",
        "DELETE FROM t WHERE id IN (:?in:texts)"
      })
  void shouldBindWhatCamelBinds(String query) throws SQLException {
    for (int row = 0; row < 3; row++) {
      Map<String, Object> columns = new HashMap<>();
      columns.put("a", "a" + row);
      columns.put("b", row == 1 ? null : row);
      columns.put("ids", List.of(row, row + 1));
      columns.put("texts", "x,y");
      exchange.getMessage().setBody(columns);

      assertThat(ours.prepareQuery(query, true, exchange))
          .isEqualTo(camels.prepareQuery(query, true, exchange));
      assertThat(bound(ours, query, columns)).isEqualTo(bound(camels, query, columns));
    }
  }

  @Test
  void shouldGiveAListAPlaceForEachElement() throws SQLException {
    String query = "SELECT 1 FROM t WHERE id IN (:?in:${variable.lists[1]})";

    assertThat(ours.prepareQuery(query, true, exchange))
        .isEqualTo("SELECT 1 FROM t WHERE id IN (?,?,?)");
    assertThat(bound(ours, query, List.of("a body that is no map"))).isEqualTo(List.of(7, 8, 9));
  }

  @Test
  void shouldEvaluateAnExpressionOnTheRowOfABatch() throws SQLException {
    String query = "UPDATE t SET a = :?${body[b]}";
    exchange.getMessage().setBody(List.of(Map.of("b", 1), Map.of("b", 2)));

    assertThat(bound(ours, query, Map.of("b", 1))).isEqualTo(List.of(1));
    assertThat(bound(ours, query, Map.of("b", 2))).isEqualTo(List.of(2));
  }

  @Test
  void shouldTakeRowsThatAreNoMaps() throws SQLException {
    String query = "INSERT INTO t VALUES (?, ?)";

    assertThat(bound(ours, query, List.of(1, 2))).isEqualTo(List.of(1, 2));
  }

  private enum Colour {
    RED
  }

  private record Row(String a, Long b, Colour colour) {}

  @Test
  void shouldTakeTheComponentsOfARecordBeforeHeadersAndVariables() throws SQLException {
    String query = "INSERT INTO t VALUES (:?a, :?b, :?h, :?v, :?colour)";
    Row first = new Row("a of the row", 1L, Colour.RED);
    exchange.getMessage().setBody(List.of(first, new Row(null, null, null)));

    assertThat(bound(ours, query, first))
        .isEqualTo(
            List.of("a of the row", 1L, "h of the headers", "v of the variables", Colour.RED));
    assertThat(bound(ours, query, new Row(null, null, null)))
        .isEqualTo(Arrays.asList(null, null, "h of the headers", "v of the variables", null));
  }

  @Test
  void shouldRefuseARecordThatLacksAParameter() {
    String query = "INSERT INTO t VALUES (:?a, :?nowhere)";

    assertThatThrownBy(() -> bound(ours, query, new Row("a", 1L, Colour.RED)))
        .isInstanceOf(RuntimeExchangeException.class)
        .hasMessageContaining("nowhere");
  }

  @Test
  void shouldRefuseARowThatLacksAParameter() {
    String query = "INSERT INTO t VALUES (:?a, :?nowhere)";

    assertThatThrownBy(() -> bound(ours, query, Map.of("a", 1)))
        .isInstanceOf(RuntimeExchangeException.class)
        .hasMessageContaining("nowhere");
  }

  private List<Object> bound(SqlPrepareStatementStrategy strategy, String query, Object row)
      throws SQLException {
    String prepared = strategy.prepareQuery(query, true, exchange);
    int expected = (int) prepared.chars().filter(character -> character == '?').count();
    List<Object> values = new ArrayList<>();
    Iterator<?> bound = strategy.createPopulateIterator(query, prepared, expected, exchange, row);
    while (bound.hasNext()) {
      Object value = bound.next();
      if (value instanceof Iterator<?> several) {
        several.forEachRemaining(values::add);
      } else {
        values.add(value);
      }
    }
    return values;
  }
}
