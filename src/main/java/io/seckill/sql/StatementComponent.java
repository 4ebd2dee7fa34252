package io.seckill.sql;

import java.util.Map;
import javax.sql.DataSource;
import org.apache.camel.Endpoint;
import org.apache.camel.component.sql.SqlComponent;
import org.apache.camel.component.sql.SqlEndpoint;

/**
 * Camel's {@code sql} component, whose statements take records as well as maps ({@link
 * NamedParameters}), and return records when their {@code outputClass} is a record ({@link
 * RecordRows}). A route does not start when the class it names does not exist. An endpoint may name
 * another strategy, as usual.
 */
final class StatementComponent extends SqlComponent {
  StatementComponent(DataSource dataSource) {
    setDataSource(dataSource);
    setRowMapperFactory(new RecordRows());
  }

  @Override
  protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> options)
      throws Exception {
    SqlEndpoint endpoint = (SqlEndpoint) super.createEndpoint(uri, remaining, options);
    if (endpoint.getOutputClass() != null) {
      // Camel looks for it only at each row, and ignores a missing one
      getCamelContext().getClassResolver().resolveMandatoryClass(endpoint.getOutputClass());
    }
    if (endpoint.getPrepareStatementStrategy() == null) {
      endpoint.setPrepareStatementStrategy(new NamedParameters(endpoint.getSeparator()));
    }
    return endpoint;
  }
}
