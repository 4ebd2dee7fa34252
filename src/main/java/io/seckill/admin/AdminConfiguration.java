package io.seckill.admin;

import io.seckill.book.AdmissionGuard;
import io.seckill.rate.Rates;
import org.apache.camel.BeanInject;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Configuration;
import org.apache.camel.PropertyInject;

/** Makes the beans for administration. */
@Configuration
public class AdminConfiguration {

  @BindToRegistry
  public SaleRequests saleRequests() {
    return new SaleRequests();
  }

  @BindToRegistry
  public SaleRules saleRules() {
    return new SaleRules();
  }

  @BindToRegistry
  public TermRules termRules() {
    return new TermRules();
  }

  @BindToRegistry
  public RestockRules restockRules() {
    return new RestockRules();
  }

  @BindToRegistry(lazy = true)
  public SaleCalls saleCalls(@BeanInject("admissionGuard") AdmissionGuard guard) {
    return new SaleCalls(guard::runId);
  }

  @BindToRegistry(lazy = true)
  public SaleViews saleViews(@BeanInject("admissionGuard") AdmissionGuard guard) {
    return new SaleViews(guard);
  }

  @BindToRegistry
  public AuditRows auditRows() {
    return new AuditRows();
  }

  @BindToRegistry
  public AuditTrail auditTrail() {
    return new AuditTrail();
  }

  @BindToRegistry
  public OrderTrail orderTrail() {
    return new OrderTrail();
  }

  @BindToRegistry(lazy = true)
  public RateAdministration rateAdministration(@BeanInject("rates") Rates rates) {
    return new RateAdministration(rates);
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
