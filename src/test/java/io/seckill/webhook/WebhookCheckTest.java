package io.seckill.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.testing.Document;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The receiving side's check that docs/WEBHOOKS.md shows, compiled and run. */
class WebhookCheckTest {
  private static final byte[] BODY = "{\"type\":\"t\"}".getBytes(StandardCharsets.UTF_8);
  private static final Instant NOW = Instant.parse("2030-01-31T10:00:00Z");

  @TempDir private static Path directory;
  private static Class<?> check;

  private final Signatures signatures = new Signatures();
  private final String secret = signatures.newSecret();

  @BeforeAll
  static void compile() throws Exception {
    Map<Path, String> shown = Document.of("docs/WEBHOOKS.md").files();
    assertThat(shown).hasSize(1);
    Path source = directory.resolve(shown.keySet().iterator().next().getFileName());
    Files.writeString(source, shown.values().iterator().next());
    int errors =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", directory.toString(), source.toString());
    assertThat(errors).isZero();
    check =
        new URLClassLoader(new URL[] {directory.toUri().toURL()})
            .loadClass("com.example.warehouse.WebhookCheck");
  }

  private static boolean isGenuine(String secret, String header, byte[] body, Instant now)
      throws Exception {
    Method method =
        check.getMethod(
            "isGenuine", String.class, String.class, String.class, byte[].class, Instant.class);
    return (boolean)
        method.invoke(
            check.getConstructor(String.class).newInstance(secret),
            "id",
            Long.toString(NOW.getEpochSecond()),
            header,
            body,
            now);
  }

  private String header(String formerSecret) {
    return signatures.header("id", NOW.getEpochSecond(), BODY, secret, formerSecret);
  }

  @Test
  void shouldTakeWhatTheApplicationSigns() throws Exception {
    assertThat(isGenuine(secret, header(null), BODY, NOW.plusSeconds(299))).isTrue();
    String former = signatures.newSecret();
    assertThat(header(former).split(" ")).hasSize(2);
    assertThat(isGenuine(secret, header(former), BODY, NOW)).isTrue();
    assertThat(isGenuine(former, header(former), BODY, NOW)).isTrue();
  }

  @Test
  void shouldRefuseWhatIsOldForgedOrOfAnotherSecret() throws Exception {
    assertThat(isGenuine(secret, header(null), BODY, NOW.plusSeconds(301))).isFalse();
    assertThat(isGenuine(secret, header(null), BODY, NOW.minusSeconds(301))).isFalse();
    assertThat(isGenuine(secret, header(null), new byte[] {1}, NOW)).isFalse();
    assertThat(isGenuine(signatures.newSecret(), header(null), BODY, NOW)).isFalse();
    assertThat(isGenuine(secret, "v1,", BODY, NOW)).isFalse();
  }
}
