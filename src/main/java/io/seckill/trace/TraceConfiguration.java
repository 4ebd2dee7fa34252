package io.seckill.trace;

import io.github.bucket4j.Bucket;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.apache.camel.BindToRegistry;
import org.apache.camel.CamelConfiguration;
import org.apache.camel.CamelContext;
import org.apache.camel.PropertyInject;

/** Makes the bean for tracing. While the ratio is 0 there is none, and tracing costs nothing. */
public class TraceConfiguration implements CamelConfiguration {
  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");

  @PropertyInject("seckill.trace.ratio")
  private double ratio;

  @PropertyInject("seckill.trace.callers")
  private int callers;

  @PropertyInject("seckill.trace.endpoint")
  private String endpoint;

  @PropertyInject("camel.main.name")
  private String name;

  /** The provider; its end sends the remaining spans. */
  @BindToRegistry(destroyMethod = "close")
  public SdkTracerProvider tracerProvider(CamelContext context) {
    if (ratio == 0) {
      return null;
    }
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setResource(Resource.getDefault().toBuilder().put(SERVICE, name).build())
            .addSpanProcessor(
                BatchSpanProcessor.builder(
                        OtlpHttpSpanExporter.builder().setEndpoint(endpoint).build())
                    .build())
            .build();
    context.addRoutePolicyFactory(
        new SampledTraces(
            provider.get("io.seckill"),
            ratio,
            () -> ThreadLocalRandom.current().nextDouble(),
            atMost(callers)));
    return provider;
  }

  private static BooleanSupplier atMost(int perSecond) {
    if (perSecond == 0) {
      return () -> false;
    }
    Bucket bucket =
        Bucket.builder()
            .addLimit(
                limit -> limit.capacity(perSecond).refillGreedy(perSecond, Duration.ofSeconds(1)))
            .build();
    return () -> bucket.tryConsume(1);
  }
}
