package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.camel.component.properties.PropertiesComponent;
import org.apache.camel.impl.DefaultCamelContext;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretFilesTest {
  private static final Path PROPERTIES =
      Path.of("src", "main", "resources", "application.properties");
  private static final Pattern SECRET_WORD = Pattern.compile("(password|token|secret|jaas)");

  @TempDir private Path directory;

  @Test
  void shouldReadASecretWithoutTheWhiteSpaceAroundIt() throws IOException {
    Path file = Files.writeString(directory.resolve("secret"), "  s3 cret=\"x\"\n\n");
    assertThat(read(Map.of("seckill.mysql.password-file", file.toString())))
        .isEqualTo(Map.of("seckill.mysql.password", "s3 cret=\"x\""));
  }

  @Test
  void shouldReadNothingWhereNoFileIsNamed() throws IOException {
    assertThat(read(Map.of("seckill.mysql.password", "p", "seckill.jwt.secret-file", " ")))
        .isEmpty();
  }

  @Test
  void shouldTakeADefaultThatIsAnotherPropertysForNoneOfItsOwn() throws IOException {
    Path file = Files.writeString(directory.resolve("key"), "of the key");
    assertThat(
            read(
                Map.of(
                    "seckill.kafka.keystore-password",
                    "of the store",
                    "seckill.kafka.key-password-file",
                    file.toString())))
        .isEqualTo(Map.of("seckill.kafka.key-password", "of the key"));
  }

  @Test
  void shouldRefuseASecretThatIsGivenTwice() throws IOException {
    Path file = Files.writeString(directory.resolve("secret"), "in the file");
    refused(
            Map.of(
                "seckill.mysql.password",
                "beside it",
                "seckill.mysql.password-file",
                file.toString()))
        .hasMessage(
            "seckill.mysql.password and seckill.mysql.password-file are both set: remove one of"
                + " them.");
  }

  @Test
  void shouldRefuseAFileThatCannotBeRead() throws IOException {
    Path missing = directory.resolve("missing");
    refused(Map.of("seckill.jwt.secret-file", missing.toString()))
        .hasMessage("seckill.jwt.secret-file: the file " + missing + " is not there.");
    refused(Map.of("seckill.jwt.secret-file", directory.toString()))
        .hasMessageStartingWith("seckill.jwt.secret-file: the file " + directory + " cannot be");
    Path empty = Files.writeString(directory.resolve("empty"), "\n");
    refused(Map.of("seckill.jwt.secret-file", empty.toString()))
        .hasMessage("seckill.jwt.secret-file: the file " + empty + " is empty.");
    Path closed = Files.writeString(directory.resolve("closed"), "secret");
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    if (!Files.isReadable(closed)) {
      refused(Map.of("seckill.jwt.secret-file", closed.toString()))
          .hasMessageContaining("may not be read by this user");
    }
  }

  @Test
  void shouldTakeEverySecretThatThereIsFromAFile() throws IOException {
    assertThat(propertiesOfTheApplication().stringPropertyNames())
        .filteredOn(name -> name.startsWith("seckill.") && SECRET_WORD.matcher(name).find())
        .hasSizeGreaterThan(5)
        .allMatch(SecretFiles::isSecret);
  }

  @ParameterizedTest
  @ValueSource(strings = {"seckill.redis.uri", "seckill.mysql.password", "seckill.admin.token"})
  void shouldTakeThoseWithoutADefaultToo(String name) {
    assertThat(SecretFiles.isSecret(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"seckill.redis.truststore", "seckill.jwt.jwks", "seckill.kafka.keystore"})
  void shouldNotTakeWhatIsNoSecret(String name) {
    assertThat(SecretFiles.isSecret(name)).isFalse();
  }

  private static Properties propertiesOfTheApplication() throws IOException {
    Properties properties = new Properties();
    try (var in = Files.newBufferedReader(PROPERTIES)) {
      properties.load(in);
    }
    return properties;
  }

  private AbstractThrowableAssert<?, ? extends Throwable> refused(Map<String, String> given) {
    return assertThatThrownBy(() -> read(given)).isInstanceOf(StartRefusedException.class);
  }

  private static Map<String, String> read(Map<String, String> given) throws IOException {
    Properties defaults = propertiesOfTheApplication();
    Properties overrides = new Properties();
    overrides.putAll(given);
    try (DefaultCamelContext context = new DefaultCamelContext(false)) {
      PropertiesComponent component = (PropertiesComponent) context.getPropertiesComponent();
      component.setInitialProperties(defaults);
      component.setOverrideProperties(overrides);
      context.build();
      Settings settings = new Settings(component);
      Map<String, String> read = new LinkedHashMap<>();
      Set<String> names = new HashSet<>(settings.names());
      names.add("seckill.mysql.password");
      new SecretFiles(settings, names).read(read::put);
      return read;
    }
  }
}
