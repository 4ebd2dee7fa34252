package io.seckill.admin;

import org.apache.camel.BindToRegistry;
import org.apache.camel.Configuration;
import org.apache.camel.PropertyInject;

/** Beans of administration. */
@Configuration
public class AdminConfiguration {

  @BindToRegistry
  public AdminToken adminToken(@PropertyInject("seckill.admin.token") String token) {
    return new AdminToken(token);
  }

  @BindToRegistry
  public SaleAdministration saleAdministration() {
    return new SaleAdministration();
  }

  @BindToRegistry
  public Settlements settlements(@PropertyInject("seckill.strategy") String strategy) {
    return new Settlements(strategy);
  }

  @BindToRegistry
  public DeadLetterAdministration deadLetterAdministration() {
    return new DeadLetterAdministration();
  }
}
