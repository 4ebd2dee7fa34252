package io.seckill.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.Expression;
import org.apache.camel.component.sql.DefaultSqlPrepareStatementStrategy;
import org.springframework.jdbc.core.SqlTypeValue;
import org.springframework.jdbc.core.StatementCreatorUtils;

/**
 * Binds named parameters. Camel's own strategy parses the statement again for every run and every
 * row; this class parses it once. It finds values where Camel does: in the row, in headers, in
 * variables, or by the expression. A row may also be a record, whose components have the names; an
 * enum constant is bound as its name. It leaves everything else, such as rows that are lists, to
 * Camel's strategy.
 *
 * <p>Thread-safe. It remembers the last statement, so use one for each endpoint.
 */
final class NamedParameters extends DefaultSqlPrepareStatementStrategy {
  /**
   * A parameter after Camel has replaced the placeholder {@code #}. A match without a name is
   * something else.
   */
  private static final Pattern PARAMETER =
      Pattern.compile(":\\?(?:(in:)?(\\w+(?!:)|\\$(?:simple)?\\{[^{}]*}))?");

  private static final Object NOWHERE = new Object();

  /** An endpoint runs another statement only after live reload. */
  private volatile Statement last;

  /**
   * @param separator separates the values in a text body, for parameters without names
   */
  NamedParameters(char separator) {
    super(separator);
  }

  /**
   * A parsed statement.
   *
   * @param query what was parsed
   * @param texts the text before, between and after the parameters
   * @param parameters empty when this class cannot bind one of them
   * @param plain the statement to prepare; null when it depends on the length of lists
   * @param readers for each record class, a reader for each parameter; null when the record lacks
   *     it
   */
  private record Statement(
      String query,
      List<String> texts,
      List<Parameter> parameters,
      String plain,
      Map<Class<?>, Function<Object, Object>[]> readers) {

    Function<Object, Object>[] readers(Object row) {
      return readers.computeIfAbsent(row.getClass(), this::find);
    }

    @SuppressWarnings("unchecked")
    private Function<Object, Object>[] find(Class<?> type) {
      RecordType components = RecordType.of(type);
      return parameters.stream()
          .map(parameter -> components.accessor(parameter.name()))
          .toArray(Function[]::new);
    }
  }

  /**
   * One parameter.
   *
   * @param expression null for a plain name
   * @param list true when each element of a collection gets a place
   */
  private record Parameter(String name, Expression expression, boolean list) {}

  /** Exactly one value for each place. */
  private record Values(Iterator<Object> values) implements Iterator<Object> {
    @Override
    public boolean hasNext() {
      return values.hasNext();
    }

    @Override
    public Object next() {
      return values.next();
    }
  }

  @Override
  public String prepareQuery(String query, boolean allowNamedParameters, Exchange exchange)
      throws SQLException {
    Statement statement =
        allowNamedParameters && exchange != null ? statement(query, exchange.getContext()) : null;
    if (statement == null || statement.parameters().isEmpty()) {
      return super.prepareQuery(query, allowNamedParameters, exchange);
    }
    if (statement.plain() != null) {
      return statement.plain();
    }
    Object body = exchange.getMessage().getBody();
    StringBuilder prepared = new StringBuilder(statement.texts().get(0));
    for (int i = 0; i < statement.parameters().size(); i++) {
      Parameter parameter = statement.parameters().get(i);
      if (!parameter.list()) {
        prepared.append('?');
      } else if (value(statement, i, body, exchange) instanceof Collection<?> several) {
        prepared.append(String.join(",", Collections.nCopies(several.size(), "?")));
      } else {
        return super.prepareQuery(query, true, exchange);
      }
      prepared.append(statement.texts().get(i + 1));
    }
    return prepared.toString();
  }

  @Override
  public Iterator<?> createPopulateIterator(
      String query, String preparedQuery, int expected, Exchange exchange, Object row)
      throws SQLException {
    List<Object> values = new ArrayList<>(expected);
    Statement statement = statement(query, exchange.getContext());
    for (int i = 0; i < statement.parameters().size(); i++) {
      Parameter parameter = statement.parameters().get(i);
      Object value = value(statement, i, row, exchange);
      if (parameter.list() && value instanceof Collection<?> several) {
        values.addAll(several);
      } else if (value != NOWHERE && !parameter.list()) {
        values.add(value);
      }
    }
    return values.size() == expected && expected > 0
        ? new Values(values.iterator())
        : super.createPopulateIterator(query, preparedQuery, expected, exchange, row);
  }

  /** Binds the usual types directly, which saves Spring's search for the type. */
  @Override
  public void populateStatement(PreparedStatement prepared, Iterator<?> values, int expected)
      throws SQLException {
    if (!(values instanceof Values)) {
      super.populateStatement(prepared, values, expected);
      return;
    }
    for (int i = 1; values.hasNext(); i++) {
      Object value = values.next();
      if (value instanceof String text) {
        prepared.setString(i, text);
      } else if (value instanceof Long number) {
        prepared.setLong(i, number);
      } else if (value instanceof Integer number) {
        prepared.setInt(i, number);
      } else if (value instanceof Enum<?> constant) {
        prepared.setString(i, constant.name());
      } else {
        StatementCreatorUtils.setParameterValue(prepared, i, SqlTypeValue.TYPE_UNKNOWN, value);
      }
    }
  }

  private Statement statement(String query, CamelContext context) {
    Statement statement = last;
    if (statement == null || !statement.query().equals(query)) {
      statement = takeApart(query, context);
      last = statement;
    }
    return statement;
  }

  private static Statement takeApart(String query, CamelContext context) {
    List<String> texts = new ArrayList<>();
    List<Parameter> parameters = new ArrayList<>();
    Matcher found = PARAMETER.matcher(query);
    int end = 0;
    while (found.find()) {
      String name = found.group(2);
      if (name == null) {
        return new Statement(query, List.of(), List.of(), null, Map.of());
      }
      Expression expression =
          name.startsWith("$") ? context.resolveLanguage("simple").createExpression(name) : null;
      texts.add(query.substring(end, found.start()));
      parameters.add(new Parameter(name, expression, found.group(1) != null));
      end = found.end();
    }
    texts.add(query.substring(end));
    boolean lists = parameters.stream().anyMatch(Parameter::list);
    return new Statement(
        query,
        texts,
        parameters,
        lists ? null : String.join("?", texts),
        new ConcurrentHashMap<>());
  }

  private static Object value(Statement statement, int index, Object row, Exchange exchange) {
    if (row instanceof Record) {
      Function<Object, Object> reader = statement.readers(row)[index];
      if (reader != null) {
        return reader.apply(row);
      }
    }
    Parameter parameter = statement.parameters().get(index);
    String name = parameter.name();
    if (parameter.expression() != null) {
      boolean single = row == exchange.getMessage().getBody();
      return single ? parameter.expression().evaluate(exchange, Object.class) : NOWHERE;
    }
    if (row instanceof Map<?, ?> columns && columns.containsKey(name)) {
      return columns.get(name);
    }
    if (exchange.getIn().getHeaders().containsKey(name)) {
      return exchange.getIn().getHeader(name);
    }
    return exchange.getVariables().containsKey(name) ? exchange.getVariables().get(name) : NOWHERE;
  }
}
