package io.seckill.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.seckill.answer.Refusal;
import io.seckill.rate.RateLimits;
import io.seckill.rate.RateSetting;
import io.seckill.rate.Rates;
import io.seckill.sale.SaleRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateAdministrationTest {
  private final Rates rates =
      new Rates(new SaleRegistry(), new RateLimits(0, 50, 0, 7, Map.of()), 1, 1, System::nanoTime);
  private final RateAdministration administration = new RateAdministration(rates);

  @Test
  void shouldSetWhatIsSaidAndTakeBackWhatIsNot() {
    List<RateSetting> rows =
        administration.limits(bytes("{\"user\":80,\"address\":0,\"product\":null}"));

    assertThat(rows)
        .containsExactly(
            new RateSetting("address", 0, 0),
            new RateSetting("user", 0, 80),
            new RateSetting("product", 0, null),
            new RateSetting("activity", 0, null));
    AuditRow audit =
        new AuditRows().ofRates("PUT_LIMITS", null, rows, List.of(new RateSetting("user", 0, 50)));
    assertThat(audit.detail())
        .contains("{\"scope\":\"user\",\"subjectId\":0,\"ratePerSecond\":80}");
    assertThat(audit.before())
        .isEqualTo("{\"address\":null,\"user\":50,\"product\":null,\"activity\":null}");
    assertThat(audit.after())
        .isEqualTo("{\"address\":0,\"user\":80,\"product\":null,\"activity\":null}");
  }

  @Test
  void shouldSetTheRateOfAnActivity() {
    assertThat(administration.activity(77, bytes("{\"ratePerSecond\":5}")))
        .containsExactly(new RateSetting("activity", 77, 5));
    assertThat(administration.activity(77, bytes("{}")))
        .containsExactly(new RateSetting("activity", 77, null));
  }

  @Test
  void shouldShowWhatIsSetAndWhatHolds() {
    List<RateSetting> set =
        List.of(
            new RateSetting("user", 0, 80),
            new RateSetting("product", 0, null),
            new RateSetting("activity", 77, 5));
    rates.take(set);

    Map<String, Object> view = administration.viewLimits(set);
    assertThat(view.keySet())
        .containsExactly("address", "user", "product", "activity", "effective");
    assertThat(view).containsEntry("user", 80).containsEntry("product", null);
    assertThat(view.get("effective"))
        .isEqualTo(Map.of("address", 0, "user", 80, "product", 0, "activity", 7));

    assertThat(administration.viewActivity(new ActivityRow(77, 5, 2)))
        .isEqualTo(Map.of("activityId", 77L, "ratePerSecond", 5, "effective", 5, "sales", 2L));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user     | {'user':-1}",
        "user     | {'user':1.5}",
        "user     | {'user':'50'}",
        "address  | {'address':10000001}",
        "product  | {'product':true}",
        "activity | {'activity':[]}",
        "users    | {'users':1}"
      })
  void shouldNameTheLimitThatIsWrong(String member, String body) {
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class, () -> administration.limits(bytes(body.replace('\'', '"'))));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.code()).isEqualTo("INVALID_REQUEST");
    assertThat(refusal.members()).containsEntry("member", member);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "null", "{", "{\"user\":1,\"user\":2}", "{} {}"})
  void shouldRefuseWhatIsNoObject(String body) {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> administration.limits(bytes(body)));
    assertThat(refusal.status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "01", "a", "9223372036854775808"})
  void shouldRefuseWhatIsNoActivity(String id) {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> administration.activityId(id));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(catchThrowableOfType(Refusal.class, () -> administration.activityId(List.of("1"))))
        .isNotNull();
    assertThat(administration.activityId("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
