package io.seckill.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.seckill.answer.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SaleTermsTest {

  @Test
  void shouldReadAllMembers() {
    SaleTerms terms =
        parse(
            """
            {"name": " Phone 手机 ", "stock": 50, "maxQuantity": 2, "ratePerSecond": 1000, "activityId": 77,
             "startsAt": "2026-11-11T00:00:00+08:00", "endsAt": "2026-11-10T16:00:01.250Z"}""");

    assertThat(terms)
        .isEqualTo(
            new SaleTerms(
                7,
                "Phone 手机",
                50,
                2,
                Instant.parse("2026-11-10T16:00:00Z").toEpochMilli(),
                Instant.parse("2026-11-10T16:00:01.250Z").toEpochMilli(),
                1000,
                77L));
  }

  @Test
  void shouldTakeOneUnitAndAnOpenWindowWhereNothingIsSaid() {
    assertThat(parse("{\"name\":\"a\",\"stock\":0,\"endsAt\":null}"))
        .isEqualTo(new SaleTerms(7, "a", 0, 1, null, null, null, null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name          | {'stock':1}",
        "name          | {'name':'','stock':1}",
        "name          | {'name':5,'stock':1}",
        "name          | {'name':'a\\u0000','stock':1}",
        "stock         | {'name':'a'}",
        "stock         | {'name':'a','stock':-1}",
        "stock         | {'name':'a','stock':1.5}",
        "stock         | {'name':'a','stock':'1'}",
        "stock         | {'name':'a','stock':1000000001}",
        "stock         | {'name':'a','stock':99999999999999999999999}",
        "maxQuantity   | {'name':'a','stock':1,'maxQuantity':0}",
        "maxQuantity   | {'name':'a','stock':1,'maxQuantity':1000001}",
        "ratePerSecond | {'name':'a','stock':1,'ratePerSecond':0}",
        "activityId    | {'name':'a','stock':1,'activityId':0}",
        "activityId    | {'name':'a','stock':1,'activityId':'spring'}",
        "activityId    | {'name':'a','stock':1,'activityId':9223372036854775808}",
        "startsAt      | {'name':'a','stock':1,'startsAt':1762790400000}",
        "startsAt      | {'name':'a','stock':1,'startsAt':'2026-11-11T00:00:00'}",
        "startsAt      | {'name':'a','stock':1,'startsAt':'tomorrow'}",
        "startsAt      | {'name':'a','stock':1,'startsAt':'+999999999-01-01T00:00:00Z'}",
        "endsAt        | {'name':'a','stock':1,'startsAt':'2026-11-11T00:00:00Z',"
            + "'endsAt':'2026-11-11T00:00:00Z'}",
        "price         | {'name':'a','stock':1,'price':1}"
      })
  void shouldNameTheMemberThatIsWrong(String member, String body) {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> parse(body.replace('\'', '"')));

    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.code()).isEqualTo("INVALID_REQUEST");
    assertThat(refusal.members()).containsEntry("member", member);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "5",
        "{",
        "{\"name\":\"a\",\"stock\":1} x",
        "{\"name\":\"a\",\"name\":\"b\",\"stock\":1}"
      })
  void shouldRefuseWhatIsNotOneJsonObject(String body) {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> parse(body));

    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.code()).isEqualTo("INVALID_REQUEST");
  }

  @Test
  void shouldReadTheUnitsOfARestock() {
    assertThat(SaleTerms.parseUnits("{\"units\":3}".getBytes(StandardCharsets.UTF_8))).isEqualTo(3);
    for (String body : new String[] {"{}", "{\"units\":0}", "{\"units\":1,\"x\":2}", ""}) {
      assertThat(
              catchThrowableOfType(
                  Refusal.class, () -> SaleTerms.parseUnits(body.getBytes(StandardCharsets.UTF_8))))
          .isNotNull();
    }
  }

  private static SaleTerms parse(String body) {
    return SaleTerms.parse(7, body.getBytes(StandardCharsets.UTF_8));
  }
}
