package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.MarkerManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.impl.ContextDataFactory;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.message.SimpleMessage;
import org.apache.logging.log4j.util.StringMap;
import org.junit.jupiter.api.Test;

/** The text layout of log4j2.properties, with what a client or a record could bring into it. */
class TextLogTest {
  private static final String FORGED = "2026-01-01 00:00:00.000 ERROR [x] forged";

  @Test
  void shouldEncodeControlCharactersOfAMessage() {
    for (String newline : new String[] {"\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029", "\f"}) {
      String text = text(event("bad field: a" + newline + FORGED).build());

      assertThat(text.lines()).as("after %x", (int) newline.charAt(0)).hasSize(1);
      assertThat(text).contains("bad field: a").doesNotContain("a" + newline);
    }
    assertThat(text(event("tab\tescape\u001b[2Jbell\u0007csi\u009bnul\u0000end").build()))
        .endsWith("tab\tescape?[2Jbell?csi?nul?end" + System.lineSeparator());
    assertThat(text(event("a\r\nb").build())).endsWith("a\\r\\nb" + System.lineSeparator());
  }

  @Test
  void shouldEncodeThoseOfTheRequestId() {
    StringMap context = ContextDataFactory.createContextData(Map.of("requestId", "1\n" + FORGED));

    assertThat(text(event("said").setContextData(context).build()).lines()).hasSize(1);
  }

  @Test
  void shouldLetNoLineOfAnExceptionLookLikeOneOfTheLog() {
    Exception cause = new IllegalStateException("a\n" + FORGED + "\r\n\u001b" + FORGED);

    String text =
        text(event("failed").setThrown(new RuntimeException("b\n" + FORGED, cause)).build());

    assertThat(text).contains("Caused by: java.lang.IllegalStateException", "TextLogTest");
    assertThat(text.lines().skip(2)).allMatch(line -> line.startsWith("\t"));
    assertThat(text.lines().skip(1).findFirst()).hasValue("java.lang.RuntimeException: b");
    assertThat(text).doesNotContain("\u001b");
  }

  @Test
  void shouldLeaveTheBannerAsItIs() {
    assertThat(text(event("a\nb").setMarker(MarkerManager.getMarker("BANNER")).build()))
        .endsWith("a\nb" + System.lineSeparator());
  }

  private static Log4jLogEvent.Builder event(String message) {
    return Log4jLogEvent.newBuilder()
        .setLoggerName("io.seckill.Test")
        .setLevel(Level.INFO)
        .setMessage(new SimpleMessage(message));
  }

  private static String text(Log4jLogEvent event) {
    Configuration configuration = LoggerContext.getContext(false).getConfiguration();
    return configuration.getAppender("text").getLayout().toSerializable(event).toString();
  }
}
