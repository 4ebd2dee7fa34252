package io.seckill.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.camel.BindToRegistry;
import org.apache.camel.CamelConfiguration;
import org.apache.camel.CamelContext;
import org.apache.camel.PropertyInject;

/** Makes the bean for tracing. While the ratio is 0 there is none, and tracing costs nothing. */
public class TraceConfiguration implements CamelConfiguration {
  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");

  @PropertyInject("seckill.trace.ratio")
  private double ratio;

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
            provider.get("io.seckill"), ratio, () -> ThreadLocalRandom.current().nextDouble()));
    return provider;
  }
}
