package io.seckill.order;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.camel.Exchange;
import org.apache.camel.component.sql.DefaultSqlPrepareStatementStrategy;

/**
 * Binds the named parameters of a statement that is run for many rows. Camel's own strategy
 * searches the statement's text for them again with every row; here its names are found once. They
 * are looked up where Camel looks: in the row, in headers, in variables. Whatever is not a row of
 * plain names is left to Camel's strategy.
 *
 * <p>Thread-safe. Remembers every statement it has bound, so it is for statements that are fixed.
 */
public final class NamedParameters extends DefaultSqlPrepareStatementStrategy {
  /** A parameter, the placeholder {@code #} replaced by Camel: a plain name, or something else. */
  private static final Pattern PARAMETER = Pattern.compile(":\\?(?:(?!in:)(\\w+))?");

  private final Map<String, List<String>> namesOf = new ConcurrentHashMap<>();

  @Override
  public Iterator<?> createPopulateIterator(
      String query, String preparedQuery, int expected, Exchange exchange, Object row)
      throws SQLException {
    if (row instanceof Map<?, ?> columns) {
      List<String> names = namesOf.computeIfAbsent(query, NamedParameters::plainNames);
      List<Object> values = values(names, columns, exchange);
      if (values.size() == expected) {
        return values.iterator();
      }
    }
    return super.createPopulateIterator(query, preparedQuery, expected, exchange, row);
  }

  /** Empty when a parameter is more than a name. */
  private static List<String> plainNames(String query) {
    List<String> names = new ArrayList<>();
    Matcher parameter = PARAMETER.matcher(query);
    while (parameter.find()) {
      if (parameter.group(1) == null) {
        return List.of();
      }
      names.add(parameter.group(1));
    }
    return List.copyOf(names);
  }

  /** Ends before the first name that is nowhere. */
  private static List<Object> values(List<String> names, Map<?, ?> row, Exchange exchange) {
    List<Object> values = new ArrayList<>(names.size());
    for (String name : names) {
      if (row.containsKey(name)) {
        values.add(row.get(name));
      } else if (exchange.getIn().getHeaders().containsKey(name)) {
        values.add(exchange.getIn().getHeader(name));
      } else if (exchange.getVariables().containsKey(name)) {
        values.add(exchange.getVariables().get(name));
      } else {
        return values;
      }
    }
    return values;
  }
}
