package io.seckill.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.seckill.StartRefusedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisSettingsTest {
  @ParameterizedTest
  @CsvSource({
    "redis://localhost, localhost, 6379, ''",
    "redis://localhost:7000/3, localhost, 7000, ''",
    "redis://[::1]:7000, [::1], 7000, ''",
    "redis://the_redis:7000, the_redis, 7000, ''",
    "redis://:secret@the_redis:7000, the_redis, 7000, secret",
    "redis://me:s@cret@localhost:7000, localhost, 7000, s@cret",
    "rediss://:s%2Fcr%23t@localhost:7000, localhost, 7000, s/cr#t"
  })
  void shouldReadAddressesAsTheyAreMeant(String uri, String host, int port, String password) {
    RedisURI address = Redis.settings(uri).address();
    assertThat(address.getHost()).isEqualTo(host);
    assertThat(address.getPort()).isEqualTo(port);
    RedisCredentials login = address.getCredentialsProvider().resolveCredentials().block();
    assertThat(login.hasPassword() ? new String(login.getPassword()) : "").isEqualTo(password);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:6379",
        "http://localhost:6379",
        "redis://localhost:port",
        "redis://localhost:99999",
        "redis://the_redis:99999",
        "redis://:se/cret@localhost:6379",
        "redis://:se#cret@localhost:6379",
        "redis://:se?cret@localhost:6379",
        "redis://:se%cret@localhost:6379"
      })
  void shouldRefuseOthersWithoutQuotingThem(String uri) {
    assertThatThrownBy(() -> Redis.settings(uri).address())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageStartingWith("seckill.redis.uri is not an address of Redis")
        .hasMessageNotContaining("cret")
        .hasNoCause();
  }
}
