package io.seckill.webhook;

import static io.seckill.webhook.Hooks.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import io.seckill.webhook.Hooks.Hook;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that may call public addresses alone. */
class WebhookTargetsIT {
  private static Receiver receiver;
  private static TestApplication application;
  private static Hooks hooks;
  private static Hook earlier;
  private static long product;

  /** The webhook was made while private addresses were allowed. */
  @BeforeAll
  static void start() {
    receiver = Receiver.answering(200);
    Map<String, String> properties = Hooks.properties("webhooktargets", 8);
    try (TestApplication allowing = TestApplication.start(properties)) {
      Hooks before = new Hooks(allowing.awaitReady().shop());
      product = before.sale(5);
      earlier = before.add("http://localhost:" + receiver.port() + "/", product);
    }
    properties.put("seckill.webhooks.private-addresses", "false");
    application = TestApplication.start(properties);
    hooks = new Hooks(application.awaitReady().shop());
  }

  @AfterAll
  static void stop() {
    application.close();
    receiver.close();
  }

  /** Among them names, and other spellings of addresses, that mean this machine. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost/",
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0.0.0.0/",
        "http://[::1]/",
        "http://[::]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[fe80::1]/",
        "http://[fd00::1]/",
        "http://10.1.2.3/",
        "http://172.16.0.1/",
        "http://192.168.1.1/",
        "http://100.64.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
      })
  void shouldTakeNoAddressOfAPrivateNetwork(String url) {
    Reply reply = hooks.post(Map.of("url", url, "events", List.of(SUCCESS)));

    assertThat(reply.status()).as(reply.text()).isEqualTo(422);
    assertThat(reply.code()).isEqualTo("FORBIDDEN_TARGET");
    assertThat(reply.member("detail")).contains("not of the public internet");
  }

  @Test
  void shouldSendNothingToSuchAnAddressEither() {
    application.shop().awaitAdmitting(product);
    hooks.buy(product, 1);

    JsonNode delivery = hooks.awaitOnly(earlier, "FAILED", 5);

    assertThat(delivery.path("answer").asText()).contains("not of the public internet");
    assertThat(delivery.path("answerCode").isNull()).isTrue();
    assertThat(receiver.received()).isEmpty();
  }
}
