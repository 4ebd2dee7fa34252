package io.seckill.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.seckill.book.script.Script;
import io.seckill.domain.Purchase;
import io.seckill.metrics.SeckillMetrics;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.ResolveEndpointFailedException;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code refuse:CODE} as a route sees it. */
class RefuseEndpointTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final DefaultCamelContext context = new DefaultCamelContext();

  @BeforeEach
  void start() throws Exception {
    context.getRegistry().bind("seckillMetrics", new SeckillMetrics(meters));
    context.addRoutes(
        new RouteBuilder() {
          @Override
          public void configure() {
            from("direct:buy")
                .choice()
                .when(simple("${exchangeProperty.outcome} == 'SINGLY'"))
                .to("refuse:FAIL_SINGLY?status=410&detail=Only ${body.values[0]} units are left.")
                .otherwise()
                .to("refuse:FAIL_OTHERWISE?detail=No.")
                .end()
                .setBody(constant("the route went on"));
          }
        });
    context.start();
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  private double refused(String code) {
    return meters.get("seckill.refused").tag("reason", code).counter().count();
  }

  private Exchange buy(String outcome, Purchase purchase) {
    return context
        .createProducerTemplate()
        .send(
            "direct:buy",
            exchange -> {
              exchange.setProperty("outcome", outcome);
              exchange.setProperty(PurchaseSteps.PURCHASE, purchase);
              exchange.getMessage().setBody(Script.RESERVE.read(List.of(outcome, 4L)));
            });
  }

  @Test
  void shouldAnswerCountAndEndTheRoute() throws Exception {
    assertThat(refused("FAIL_SINGLY")).as("told apart before the first").isZero();

    Exchange answered = buy("SINGLY", new Purchase(8, 7, "k", 2, "8-7-h"));

    assertThat(answered.getException()).isNull();
    assertThat(answered.getMessage().getHeader(Exchange.HTTP_RESPONSE_CODE)).isEqualTo(410);
    assertThat(answered.getMessage().getHeader(Exchange.CONTENT_TYPE))
        .isEqualTo("application/problem+json");
    JsonNode problem = new ObjectMapper().readTree(answered.getMessage().getBody(byte[].class));
    assertThat(problem.path("code").textValue()).isEqualTo("FAIL_SINGLY");
    assertThat(problem.path("detail").textValue()).isEqualTo("Only 4 units are left.");
    assertThat(problem.path("idemKey").textValue()).isEqualTo("k");
    assertThat(problem.path("productId").longValue()).isEqualTo(8);
    assertThat(refused("FAIL_SINGLY")).isEqualTo(1);
  }

  @Test
  void shouldAnswer409AndRequestsThatAreNoPurchase() throws Exception {
    Exchange answered = buy("OTHER", null);

    assertThat(answered.getMessage().getHeader(Exchange.HTTP_RESPONSE_CODE)).isEqualTo(409);
    assertThat(answered.getMessage().getBody(String.class)).doesNotContain("idemKey");
    assertThat(refused("FAIL_OTHERWISE")).isEqualTo(1);
  }

  @Test
  void shouldNotStartWithARefusalThatCannotBeAnswered() {
    for (String uri :
        List.of("refuse:no-code?detail=No.", "refuse:CODE", "refuse:CODE?detail=No.&status=200")) {
      assertThatThrownBy(() -> context.getEndpoint(uri))
          .isInstanceOf(ResolveEndpointFailedException.class)
          .hasRootCauseInstanceOf(IllegalArgumentException.class);
    }
  }
}
