package io.seckill.sql;

import java.time.Duration;
import javax.sql.DataSource;
import org.apache.camel.BeanInject;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Component;
import org.apache.camel.Configuration;
import org.apache.camel.PropertyInject;
import org.apache.camel.spi.TransactedPolicy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Makes the beans for MySQL. The schema is up to date before the first use of a connection. */
@Configuration
public class SqlConfiguration {
  @BindToRegistry(destroyMethod = "close")
  public DataSource dataSource(
      @PropertyInject("seckill.mysql.url") String url,
      @PropertyInject("seckill.mysql.user") String user,
      @PropertyInject("seckill.mysql.password") String password,
      @PropertyInject("seckill.mysql.pool-size") int poolSize,
      @PropertyInject("seckill.mysql.team-migrations") String teamMigrations,
      @PropertyInject("seckill.start-timeout") long startTimeoutMs) {
    return new OrderDatabase(
            url, user, password, poolSize, teamMigrations, Duration.ofMillis(startTimeoutMs))
        .open();
  }

  @BindToRegistry(lazy = true)
  public PlatformTransactionManager transactionManager(
      @BeanInject("dataSource") DataSource dataSource) {
    return new JdbcTransactionManager(dataSource);
  }

  @BindToRegistry(lazy = true)
  public TransactedPolicy required(
      @BeanInject("transactionManager") PlatformTransactionManager transactionManager) {
    return new RepeatableTransaction(transactionManager);
  }

  /** Replaces Camel's component of that name. */
  @BindToRegistry("sql")
  public Component statements(@BeanInject("dataSource") DataSource dataSource) {
    return new StatementComponent(dataSource);
  }
}
