package io.seckill.sql;

import java.lang.reflect.RecordComponent;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.camel.component.sql.DefaultRowMapperFactory;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SingleColumnRowMapper;

/**
 * Turns the rows of a statement into records of its {@code outputClass}. Component {@code
 * requestId} takes column {@code request_id}. A component that is a record takes its columns from
 * the same row. A statement without the column of a component is wrong. NULL becomes null; a
 * primitive component does not accept it.
 *
 * <p>A text or a number as {@code outputClass} takes the value of the only column. Statements
 * without an {@code outputClass} give maps, as usual.
 */
final class RecordRows extends DefaultRowMapperFactory {
  private static final Pattern CAPITAL = Pattern.compile("\\p{Upper}");

  /** Reads a value of a row; null for NULL. */
  private interface Source {
    Object read(ResultSet row) throws SQLException;
  }

  @Override
  public RowMapper<?> newBeanRowMapper(Class<?> mappedClass) {
    return mappedClass.isRecord()
        ? new Mapper(mappedClass)
        : new SingleColumnRowMapper<>(mappedClass);
  }

  /** Maps the rows of one result. The first row tells the columns. */
  private static final class Mapper implements RowMapper<Object> {
    private final Class<?> type;
    private Source source;

    private Mapper(Class<?> type) {
      this.type = type;
    }

    @Override
    public Object mapRow(ResultSet row, int number) throws SQLException {
      if (source == null) {
        source = record(type, columns(row.getMetaData()));
      }
      return source.read(row);
    }
  }

  private static Map<String, Integer> columns(ResultSetMetaData columns) throws SQLException {
    Map<String, Integer> found = new HashMap<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      found.put(columns.getColumnLabel(i).toLowerCase(Locale.ROOT), i);
    }
    return found;
  }

  private static Source record(Class<?> type, Map<String, Integer> columns) throws SQLException {
    RecordType made = RecordType.of(type);
    List<RecordComponent> components = made.components();
    Source[] sources = new Source[components.size()];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = component(components.get(i), columns);
    }
    return row -> {
      Object[] values = new Object[sources.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = sources[i].read(row);
      }
      return made.of(values);
    };
  }

  private static Source component(RecordComponent component, Map<String, Integer> columns)
      throws SQLException {
    Class<?> type = component.getType();
    if (type.isRecord()) {
      return record(type, columns);
    }
    String name = column(component.getName());
    Integer column = columns.get(name);
    if (column == null) {
      throw new SQLSyntaxErrorException(
          "The statement gives no column " + name + " for " + component.getDeclaringRecord());
    }
    Source source = value(type, column);
    if (!type.isPrimitive()) {
      return source;
    }
    return row -> {
      Object value = source.read(row);
      if (value == null) {
        throw new SQLSyntaxErrorException(
            "Column " + name + " is NULL, which " + component.getDeclaringRecord() + " cannot be");
      }
      return value;
    };
  }

  private static String column(String component) {
    return CAPITAL.matcher(component).replaceAll("_$0").toLowerCase(Locale.ROOT);
  }

  private static Source value(Class<?> type, int column) {
    if (type == String.class) {
      return row -> row.getString(column);
    } else if (type == long.class || type == Long.class) {
      return row -> orNull(row, row.getLong(column));
    } else if (type == int.class || type == Integer.class) {
      return row -> orNull(row, row.getInt(column));
    } else if (type == boolean.class || type == Boolean.class) {
      return row -> orNull(row, row.getBoolean(column));
    } else if (type == byte[].class) {
      return row -> row.getBytes(column);
    } else if (type.isEnum()) {
      return row -> constant(type, row.getString(column));
    }
    throw new IllegalArgumentException("A row has no values of " + type);
  }

  private static Object orNull(ResultSet row, Object value) throws SQLException {
    return row.wasNull() ? null : value;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Object constant(Class<?> type, String name) {
    return name == null ? null : Enum.valueOf((Class<? extends Enum>) type, name);
  }
}
