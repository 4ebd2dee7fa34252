package io.seckill.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.camel.CamelContext;
import org.apache.camel.component.sql.DefaultSqlPrepareStatementStrategy;
import org.apache.camel.component.sql.SqlEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class StatementComponentTest {
  private record Row(long id) {}

  private final CamelContext context = new DefaultCamelContext();

  StatementComponentTest() {
    context.addComponent("sql", new StatementComponent(new DriverManagerDataSource()));
    context.getRegistry().bind("own", new DefaultSqlPrepareStatementStrategy());
  }

  @Test
  void shouldBindRecordsUnlessAnEndpointNamesAnotherStrategy() {
    assertThat(endpoint("sql:SELECT 1").getPrepareStatementStrategy())
        .isInstanceOf(NamedParameters.class);
    assertThat(
            endpoint("sql:SELECT 1?prepareStatementStrategy=RAW(#own)")
                .getPrepareStatementStrategy())
        .isSameAs(context.getRegistry().lookupByName("own"));
  }

  @Test
  void shouldRefuseAnOutputClassThatIsNotThere() {
    String there = Row.class.getName();
    assertThat(endpoint("sql:SELECT 1?outputClass=" + there).getOutputClass()).isEqualTo(there);
    assertThatThrownBy(() -> endpoint("sql:SELECT 1?outputClass=io.seckill.Nowhere"))
        .hasRootCauseInstanceOf(ClassNotFoundException.class)
        .hasStackTraceContaining("io.seckill.Nowhere");
  }

  private SqlEndpoint endpoint(String uri) {
    return context.getEndpoint(uri, SqlEndpoint.class);
  }
}
