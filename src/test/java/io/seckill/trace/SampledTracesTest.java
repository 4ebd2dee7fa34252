package io.seckill.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.seckill.http.Request;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;

class SampledTracesTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  @Test
  void shouldPutTheSpanOfACalledRouteIntoThatOfItsCaller() throws Exception {
    List<SpanData> spans = send(1, () -> 0.5, List.of("a", "b", "c"));

    assertThat(spans)
        .extracting(SpanData::getName)
        .containsExactly("called", "called", "called", "entry");
    SpanData entry = spans.get(3);
    assertThat(entry.getAttributes().get(SampledTraces.ORDERS)).isEqualTo(3);
    assertThat(entry.getKind()).isEqualTo(SpanKind.INTERNAL);
    assertThat(spans.subList(0, 3))
        .allSatisfy(
            called -> {
              assertThat(called.getParentSpanId()).isEqualTo(entry.getSpanId());
              assertThat(called.getTraceId()).isEqualTo(entry.getTraceId());
            });
  }

  @Test
  void shouldTraceTheShareThatIsAskedForAndNoPartOfTheRest() throws Exception {
    assertThat(send(0.25, () -> 0.25, List.of("a"))).isEmpty();
    assertThat(send(0.25, () -> 0.24, List.of("a"))).hasSize(2);
  }

  @Test
  void shouldFollowWhatTheCallerHasDecided() throws Exception {
    assertThat(send(1, () -> 0, request("00-" + TRACE + "-00f067aa0ba902b7-00"))).isEmpty();

    List<SpanData> spans = send(0.1, () -> 0.9, request("00-" + TRACE + "-00f067aa0ba902b7-01"));
    SpanData entry = spans.get(1);
    assertThat(entry.getTraceId()).isEqualTo(TRACE);
    assertThat(entry.getParentSpanId()).isEqualTo("00f067aa0ba902b7");
    assertThat(entry.getKind()).isEqualTo(SpanKind.SERVER);

    assertThat(send(0.1, () -> 0.9, request("nonsense"))).isEmpty();
  }

  @Test
  void shouldGoByTheRatioWhereCallersAskForMoreThanTheyMay() throws Exception {
    Request asking = request("00-" + TRACE + "-00f067aa0ba902b7-01");

    assertThat(send(0.1, () -> 0.9, () -> false, asking)).isEmpty();
    assertThat(send(0.1, () -> 0.05, () -> false, asking).get(1).getTraceId()).isEqualTo(TRACE);
  }

  @Test
  void shouldTellWhatFailed() throws Exception {
    assertThat(send(1, () -> 0, new IllegalStateException("broken")))
        .hasSize(2)
        .allSatisfy(
            span -> {
              assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
              assertThat(span.getEvents()).hasSize(1);
            });

    List<SpanData> spans = send(1, () -> 0, 503);
    SpanData entry = spans.get(1);
    assertThat(entry.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(entry.getAttributes().get(SampledTraces.HTTP_STATUS)).isEqualTo(503);
  }

  @Test
  void shouldRefuseAShareThatIsNone() {
    for (double bad : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> new SampledTraces(null, bad, () -> 0, () -> true))
          .hasMessageContaining("seckill.trace.ratio must be 0 to 1");
    }
  }

  private static Request request(String traceparent) {
    return new Request(
        "POST",
        "/seckill/1",
        Map.of(),
        MultiMap.caseInsensitiveMultiMap().add("traceparent", traceparent),
        null,
        Buffer.buffer(),
        SocketAddress.inetSocketAddress(1, "127.0.0.1"),
        task -> {});
  }

  private static void answer(Exchange exchange) {
    if (exchange.getMessage().getBody() instanceof Integer status) {
      exchange.getMessage().setHeader(Exchange.HTTP_RESPONSE_CODE, status);
    }
  }

  /** The spans of a body that goes through a route that calls another one for each element. */
  private static List<SpanData> send(double ratio, DoubleSupplier random, Object body)
      throws Exception {
    return send(ratio, random, () -> true, body);
  }

  private static List<SpanData> send(
      double ratio, DoubleSupplier random, BooleanSupplier callers, Object body) throws Exception {
    InMemorySpanExporter spans = InMemorySpanExporter.create();
    SdkTracerProvider provider =
        SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(spans)).build();
    CamelContext context = new DefaultCamelContext();
    try {
      context.addRoutePolicyFactory(
          new SampledTraces(provider.get("test"), ratio, random, callers));
      context.addRoutes(
          new RouteBuilder() {
            @Override
            public void configure() {
              errorHandler(noErrorHandler());
              from("seda:entry?waitForTaskToComplete=Always")
                  .routeId("entry")
                  .process(SampledTracesTest::answer)
                  .split(body())
                  .stopOnException()
                  .to("direct:called");
              from("direct:called")
                  .routeId("called")
                  .process(
                      exchange -> {
                        if (exchange.getMessage().getBody() instanceof Exception failure) {
                          throw failure;
                        }
                      });
            }
          });
      context.start();
      context
          .createProducerTemplate()
          .send("seda:entry?waitForTaskToComplete=Always", made -> made.getMessage().setBody(body));
      context.stop();
      return spans.getFinishedSpanItems();
    } finally {
      context.stop();
      provider.close();
    }
  }
}
