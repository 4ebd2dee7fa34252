package io.seckill.sale;

import java.time.Clock;
import java.time.Duration;
import org.apache.camel.BeanInject;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Configuration;
import org.apache.camel.Processor;
import org.apache.camel.PropertyInject;

/** Makes the beans for the node's list of sales. */
@Configuration
public class SaleConfiguration {
  private final SaleRegistry registry = new SaleRegistry();
  private final SaleSteps steps = new SaleSteps(registry);

  @BindToRegistry
  public SaleRegistry saleRegistry() {
    return registry;
  }

  @BindToRegistry
  public SaleClock saleClock(
      @BeanInject("clock") Clock clock,
      @PropertyInject("seckill.sale.clock-tolerance") long toleranceMillis) {
    return new SaleClock(clock, Duration.ofMillis(toleranceMillis), System::nanoTime);
  }

  @BindToRegistry(lazy = true)
  public SaleMilestones saleMilestones(@BeanInject("saleClock") SaleClock clock) {
    return new SaleMilestones(clock);
  }

  @BindToRegistry
  public SoldOutGate soldOutGate(
      @PropertyInject("seckill.gate.probe") long probeMillis,
      @PropertyInject("seckill.gate.max-buyers") long maxBuyers) {
    return new SoldOutGate(probeMillis, maxBuyers, System::nanoTime);
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
  public Processor takeStock() {
    return steps.takeStock();
  }

  @BindToRegistry
  public Processor takeEvent(@BeanInject("soldOutGate") SoldOutGate gate) {
    return steps.takeEvent(gate);
  }
}
