package io.seckill.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

class ProbesTest {
  private final AtomicLong now = new AtomicLong();
  private final Probes probes = new Probes(Duration.ofSeconds(5), now::get);

  @Test
  void shouldBeDownUntilTheFirstLook() {
    assertThat(probes.of("redis").up()).isFalse();
  }

  @Test
  void shouldSayWhatTheLastLookShowed() {
    probes.down("redis", "refused");
    assertThat(probes.of("redis")).isEqualTo(new Probes.Reading(false, "refused"));
    probes.up("redis", "answers");
    assertThat(probes.of("redis")).isEqualTo(new Probes.Reading(true, "answers"));
    assertThat(probes.of("kafka").up()).isFalse();
  }

  @Test
  void shouldTakeALookThatDoesNotEndForDown() {
    probes.up("redis", "answers");
    now.addAndGet(Duration.ofSeconds(5).toNanos());
    assertThat(probes.of("redis").up()).isTrue();
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(probes.of("redis").up()).isFalse();
    assertThat(probes.of("redis").message()).contains("6 s").contains("answers");
  }

  @Test
  void shouldForgetWhatIsNotReportedAgain() {
    assertThat(probes.down("writes", Duration.ofSeconds(15))).isEmpty();
    probes.down("writes", "no room");
    now.addAndGet(Duration.ofSeconds(15).toNanos());
    assertThat(probes.down("writes", Duration.ofSeconds(15)))
        .contains(new Probes.Reading(false, "no room"));
    now.addAndGet(1);
    assertThat(probes.down("writes", Duration.ofSeconds(15))).isEmpty();
    probes.down("writes", "no room");
    probes.up("writes", "written");
    assertThat(probes.down("writes", Duration.ofSeconds(15))).isEmpty();
  }

  @Test
  void shouldTellWhatTheDatabaseSays() {
    SQLException cause = new SQLException("Access denied for user 'seckill'", "28000", 1045);
    probes.failed(
        "mysql",
        new CannotGetJdbcConnectionException(
            "no connection", new SQLTransientConnectionException("timed out", cause)));
    assertThat(probes.of("mysql").message()).isEqualTo("Access denied for user 'seckill'");

    probes.failed("kafka", new IllegalStateException("Kafka: no answer", new RuntimeException()));
    assertThat(probes.of("kafka").message()).isEqualTo("Kafka: no answer");
  }
}
