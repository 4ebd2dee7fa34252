package io.seckill.answer;

import io.seckill.rate.Standing;
import org.apache.camel.Exchange;
import org.apache.camel.Message;

/** Puts answers on exchanges, for either HTTP engine. */
public final class ExchangeAnswers {
  /**
   * The exchange property that holds the request's {@link Standing} with the rates. Answers tell it
   * in their headers.
   */
  public static final String STANDING = "rateStanding";

  private ExchangeAnswers() {}

  /** Makes the answer the exchange's message and drops the body and headers of the request. */
  public static void put(Exchange exchange, Answer answer) {
    Message message = exchange.getMessage();
    message.removeHeaders("*");
    message.setHeader(Exchange.HTTP_RESPONSE_CODE, answer.status());
    message.setHeader(Exchange.CONTENT_TYPE, answer.contentType());
    answer.headers().forEach(message::setHeader);
    if (exchange.getProperty(STANDING) instanceof Standing standing) {
      message.setHeader(RateFields.POLICY, RateFields.policy(standing));
      message.setHeader(RateFields.STANDING, RateFields.standing(standing));
    }
    message.setBody(answer.body());
  }

  /** Answers and ends the route. */
  public static void end(Exchange exchange, Answer answer) {
    put(exchange, answer);
    exchange.setRouteStop(true);
  }
}
