package io.seckill.api;

import io.seckill.answer.ExchangeAnswers;
import io.seckill.answer.Problem;
import io.seckill.answer.Refusal;
import io.seckill.domain.Purchase;
import io.seckill.metrics.SeckillMetrics;
import org.apache.camel.Consumer;
import org.apache.camel.Exchange;
import org.apache.camel.Expression;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.support.DefaultEndpoint;
import org.apache.camel.support.DefaultProducer;

/**
 * Refuses a request for a team's own reason. It answers with a problem of this code, status and
 * detail, counts it by its code in {@code seckill.refused}, and ends the route. The problem of a
 * purchase names its idemKey and productId. It never blocks.
 */
public final class RefuseEndpoint extends DefaultEndpoint {
  private final String code;
  private final SeckillMetrics metrics;
  private int status = 409;
  private String detail;
  private Expression detailOf;

  RefuseEndpoint(String uri, RefuseComponent component, String code, SeckillMetrics metrics) {
    super(uri, component);
    this.code = code;
    this.metrics = metrics;
  }

  /**
   * @throws IllegalArgumentException when code, status or detail is not valid
   */
  @Override
  protected void doInit() throws Exception {
    super.doInit();
    if (!code.matches("[A-Z][A-Z0-9_]*")) {
      throw new IllegalArgumentException(
          "refuse: a code consists of A-Z, 0-9 and _, unlike " + code);
    }
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("refuse:" + code + ": status must be from 400 to 599");
    }
    if (detail == null || detail.isBlank()) {
      throw new IllegalArgumentException("refuse:" + code + ": detail must tell the buyer why");
    }
    detailOf = getCamelContext().resolveLanguage("simple").createExpression(detail);
    detailOf.init(getCamelContext());
    metrics.tellApart(code);
  }

  @Override
  public Producer createProducer() {
    return new DefaultProducer(this) {
      @Override
      public void process(Exchange exchange) {
        refuse(exchange);
      }
    };
  }

  private void refuse(Exchange exchange) {
    Refusal refusal = Refusal.of(status, code, detailOf.evaluate(exchange, String.class));
    if (exchange.getProperty(PurchaseSteps.PURCHASE) instanceof Purchase purchase) {
      refusal = refusal.with("idemKey", purchase.idemKey()).with("productId", purchase.productId());
    }
    metrics.refused(code);
    ExchangeAnswers.end(exchange, Problem.of(refusal));
  }

  @Override
  public Consumer createConsumer(Processor processor) {
    throw new UnsupportedOperationException("refuse is a producer only");
  }

  @Override
  public boolean isSingletonProducer() {
    return true;
  }

  /** Sets the HTTP status of the answer; 409 by default. */
  public void setStatus(int status) {
    this.status = status;
  }

  /**
   * One sentence for the buyer; may contain Simple expressions, such as {@code ${body.values[0]}}.
   */
  public String getDetail() {
    return detail;
  }

  public void setDetail(String detail) {
    this.detail = detail;
  }
}
