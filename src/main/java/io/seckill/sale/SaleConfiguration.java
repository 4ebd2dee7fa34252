package io.seckill.sale;

import org.apache.camel.BindToRegistry;
import org.apache.camel.Configuration;
import org.apache.camel.Processor;
import org.apache.camel.PropertyInject;

/** Beans of the node's list of sales. */
@Configuration
public class SaleConfiguration {
  private final SaleRegistry registry = new SaleRegistry();
  private final SaleSteps steps = new SaleSteps(registry);

  @BindToRegistry
  public SaleRegistry saleRegistry() {
    return registry;
  }

  @BindToRegistry
  public Rates rates(
      @PropertyInject("seckill.throttle.product-rate") int productRate,
      @PropertyInject("seckill.throttle.user-rate") int userRate,
      @PropertyInject("seckill.throttle.users") long users) {
    return new Rates(registry, productRate, userRate, users);
  }

  @BindToRegistry
  public Processor askForSales() {
    return steps.askForSales();
  }

  @BindToRegistry
  public Processor takeSales() {
    return steps.takeSales();
  }

  @BindToRegistry
  public Processor takeSale() {
    return steps.takeSale();
  }

  @BindToRegistry
  public Processor listBooks() {
    return steps.listBooks();
  }

  @BindToRegistry
  public Processor askForBook() {
    return steps.askForBook();
  }

  @BindToRegistry
  public Processor takeBook() {
    return steps.takeBook();
  }

  @BindToRegistry
  public Processor takeEvent() {
    return steps.takeEvent();
  }
}
