package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  @ParameterizedTest
  @CsvSource({
    "redis://localhost:6379, redis://localhost:6379",
    "redis://:secret@localhost:6379/1, redis://***@localhost:6379/1",
    "redis://me:s@cret@localhost:6379, redis://***@localhost:6379",
    "'rediss-sentinel://:secret@a:1,b:2?sentinelMasterId=m', 'rediss-sentinel://***@a:1,b:2?sentinelMasterId=m'",
    "jdbc:mysql://me:secret@[::1]:3306/seckill, jdbc:mysql://***@[::1]:3306/seckill",
    "jdbc:mysql://h/seckill?Password=secret&a=b, jdbc:mysql://h/seckill?password=***&a=b"
  })
  void shouldShowNoPasswordOfAnAddress(String address, String shown) {
    assertThat(Settings.withoutPassword(address)).isEqualTo(shown);
  }

  @Test
  void shouldShowAnAddressThatABrowserTakes() {
    assertThat(Settings.hostAndPort("127.0.0.1", 8080)).isEqualTo("127.0.0.1:8080");
    assertThat(Settings.hostAndPort("localhost", 8080)).isEqualTo("localhost:8080");
    assertThat(Settings.hostAndPort("::1", 8080)).isEqualTo("[::1]:8080");
    assertThat(Settings.hostAndPort("[::1]", 8080)).isEqualTo("[::1]:8080");
  }
}
