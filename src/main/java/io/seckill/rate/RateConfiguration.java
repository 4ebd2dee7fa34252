package io.seckill.rate;

import io.seckill.sale.SaleRegistry;
import java.util.Map;
import org.apache.camel.BeanInject;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Configuration;
import org.apache.camel.PropertyInject;

/** Makes the beans for the rates. */
@Configuration
public class RateConfiguration {
  @PropertyInject("seckill.throttle.address-rate")
  private int addressRate;

  @PropertyInject("seckill.throttle.user-rate")
  private int userRate;

  @PropertyInject("seckill.throttle.product-rate")
  private int productRate;

  @PropertyInject("seckill.throttle.activity-rate")
  private int activityRate;

  @PropertyInject("seckill.throttle.addresses")
  private int addresses;

  @PropertyInject("seckill.throttle.users")
  private int users;

  @BindToRegistry(lazy = true)
  public Rates rates(@BeanInject("saleRegistry") SaleRegistry sales) {
    return new Rates(
        sales,
        new RateLimits(addressRate, userRate, productRate, activityRate, Map.of()),
        addresses,
        users,
        System::nanoTime);
  }
}
