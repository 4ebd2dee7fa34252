package io.seckill.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.sale.Milestone;
import io.seckill.testing.Document;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventTypesTest {
  /** Of the topic of results, no more and no less, and so says the contract. */
  @Test
  void shouldOfferEveryTypeOfTheTopicOfResults() {
    List<String> types =
        Stream.concat(
                Stream.of("io.seckill.order.success", "io.seckill.order.failed"),
                Arrays.stream(Milestone.Kind.values())
                    .map(kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .map("io.seckill.sale."::concat))
            .toList();

    assertThat(EventTypes.KNOWN).isEqualTo(types);
    assertThat(Document.of("src/main/resources/openapi.yaml").lines())
        .filteredOn(line -> line.matches(" +- io\\.seckill\\.(order|sale)\\..*"))
        .extracting(line -> line.strip().substring(2))
        .containsExactlyElementsOf(Stream.concat(types.stream(), types.stream()).toList());
  }
}
