package io.seckill.deadletter;

import io.seckill.domain.OrderJson;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Configuration;

/** Makes the bean that keeps dead letters. */
@Configuration
public class DeadLetterConfiguration {

  @BindToRegistry
  public DeadLetters deadLetters() {
    return new DeadLetters(new OrderJson());
  }
}
