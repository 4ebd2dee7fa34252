package io.seckill.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.seckill.StartRefusedException;
import io.seckill.embedded.Ports;
import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.TestServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A MySQL that does not let the application in: it says why in one sentence, and at once. */
class StartRefusalsIT {
  private static final TestServers SERVERS = TestServers.get();
  private static final String USER = "refusalsit";
  private static final String PASSWORD = "of-the-refusals-test";
  private static final String URL = SERVERS.properties().get("seckill.mysql.url");
  private static final String OPTIONS = URL.replaceAll("^[^?]*", "");

  @TempDir private Path directory;

  @BeforeAll
  static void createUser() {
    SERVERS.createUser(USER, PASSWORD);
  }

  @AfterAll
  static void dropUser() {
    SERVERS.dropUser(USER);
  }

  @Test
  void shouldNameThePropertyOfAWrongPassword() {
    refused(URL, USER, "wrong")
        .hasMessageContaining("'" + USER + "'")
        .hasMessageContaining("seckill.mysql.password");
  }

  @Test
  void shouldNameTheDatabaseThatIsNotThere() {
    Map<String, String> servers = SERVERS.properties();
    refused(
            server() + "seckill_nowhere" + OPTIONS,
            servers.get("seckill.mysql.user"),
            servers.get("seckill.mysql.password"))
        .hasMessageContaining("'seckill_nowhere'")
        .hasMessageContaining("seckill.mysql.url");
  }

  @Test
  void shouldNameTheRightsThatAreMissing() {
    refused(URL, USER, PASSWORD).hasMessageContaining("GRANT ALL ON `").hasMessageContaining(USER);
  }

  @Test
  void shouldNameTheRightsThatMigrationsLack() {
    SERVERS.update("DROP DATABASE IF EXISTS seckill_reader");
    SERVERS.update("CREATE DATABASE seckill_reader");
    SERVERS.administrate("GRANT SELECT ON seckill_reader.* TO " + USER);
    try {
      refused(server() + "seckill_reader" + OPTIONS, USER, PASSWORD)
          .hasMessageContaining("GRANT ALL ON `seckill_reader`");
    } finally {
      SERVERS.administrate("REVOKE ALL ON seckill_reader.* FROM " + USER);
      SERVERS.update("DROP DATABASE seckill_reader");
    }
  }

  @Test
  void shouldLeaveADatabaseOfOthersAlone() {
    Map<String, String> servers = SERVERS.properties();
    SERVERS.update("DROP DATABASE IF EXISTS seckill_others");
    SERVERS.update("CREATE DATABASE seckill_others");
    SERVERS.update("CREATE TABLE seckill_others.theirs (id INT)");
    try {
      refused(
              server() + "seckill_others" + OPTIONS,
              servers.get("seckill.mysql.user"),
              servers.get("seckill.mysql.password"))
          .hasMessageContaining("'seckill_others'")
          .hasMessageContaining("seckill.mysql.url");
    } finally {
      SERVERS.update("DROP DATABASE seckill_others");
    }
  }

  /** Any user's first connection is checked so, until the server remembers its password. */
  @Test
  void shouldSayHowAPasswordTravelsWithoutTls() {
    assumeThat(
            SERVERS.rows("SHOW PLUGINS").stream()
                .anyMatch(plugin -> plugin.containsValue("caching_sha2_password")))
        .as("This server has no caching_sha2_password")
        .isTrue();
    SERVERS.administrate("FLUSH PRIVILEGES");
    refused(URL + (OPTIONS.isEmpty() ? "?" : "&") + "sslMode=DISABLED", USER, PASSWORD)
        .hasMessageContaining("sslMode=REQUIRED")
        .hasMessageContaining("allowPublicKeyRetrieval=true");
  }

  @Test
  void shouldNameTheAddressWhereNobodyAnswers() {
    refused("jdbc:mysql://127.0.0.1:" + Ports.free() + "/seckill", USER, PASSWORD)
        .hasMessageContaining("127.0.0.1:")
        .hasMessageContaining("seckill.start-timeout")
        .hasMessageContaining("refused");
  }

  @Test
  void shouldNameThePropertyOfAnAddressThatIsNone() {
    refused("mysql://127.0.0.1/seckill", USER, PASSWORD).hasMessageContaining("seckill.mysql.url");
    refused("jdbc:mysql://127.0.0.1:port/seckill", USER, PASSWORD)
        .hasMessageContaining("seckill.mysql.url");
  }

  @Test
  void shouldEndTheProcessWithOneLine() {
    Map<String, String> wrong = Map.of("seckill.mysql.password", "wrong");
    try (ApplicationProcess application = ApplicationProcess.external(directory, wrong).launch()) {
      assertThat(application.awaitExit()).isEqualTo(1);
      assertThat(application.output().lines().filter(line -> line.contains(" ERROR ")))
          .singleElement()
          .asString()
          .contains("seckill.mysql.password");
      assertThat(application.output()).doesNotContain("\tat ", "Caused by");
    }
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> refused(
      String url, String user, String password) {
    OrderDatabase database =
        new OrderDatabase(url, user, password, 1, "classpath:sql/team", Duration.ofSeconds(1));
    return assertThatThrownBy(() -> database.open().close())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageNotContaining("\n");
  }

  private static String server() {
    return URL.replaceAll("(jdbc:mysql://[^/]+/).*", "$1");
  }
}
