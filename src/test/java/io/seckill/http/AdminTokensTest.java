package io.seckill.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.StartRefusedException;
import io.seckill.http.AdminTokens.Holder;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdminTokensTest {
  private static final String OF_LI = SharedSecret.hash("li's");
  private static final String OF_ZHANG = SharedSecret.hash("zhang's");

  @Test
  void shouldKnowEachTokenByItsHash() {
    AdminTokens tokens =
        AdminTokens.of(
            " shared\n",
            "li:view:"
                + OF_LI
                + ",\n  zhang@night:operate:"
                + OF_ZHANG.toUpperCase(Locale.ROOT)
                + "\n");
    assertThat(tokens.find("shared")).isEqualTo(new Holder("admin", Role.ADMIN));
    assertThat(tokens.find("li's")).isEqualTo(new Holder("li", Role.VIEW));
    assertThat(tokens.find("zhang's")).isEqualTo(new Holder("zhang@night", Role.OPERATE));
    assertThat(tokens.find(OF_LI)).isNull();
    assertThat(tokens.find("")).isNull();
  }

  @Test
  void shouldKnowNoneWhereNoneIsSet() {
    assertThat(AdminTokens.of("", " \n").find("")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "li",
        "li:view",
        "li:view:the-token-itself",
        "li:owner:HASH",
        "li:VIEW:HASH",
        ":view:HASH",
        "li:view:HASH:",
        "li:view:HASHaa",
        "l i:view:HASH",
        "李:view:HASH"
      })
  void shouldRefuseAMalformedEntryWithoutShowingIt(String entry) {
    String given = entry.replace("HASH", OF_LI);
    assertThatThrownBy(() -> AdminTokens.of("shared", given))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageStartingWith("seckill.admin.tokens: entry 1 is not name:role:sha256")
        .message()
        .doesNotContain("token-itself", OF_LI);
  }

  @Test
  void shouldRefuseANameOrATokenThatComesTwice() {
    String li = "li:view:" + OF_LI;
    assertThatThrownBy(() -> AdminTokens.of("", li + ",li:admin:" + OF_ZHANG))
        .hasMessage("seckill.admin.tokens: entry 2 has the name of another token, li.");
    assertThatThrownBy(() -> AdminTokens.of("", li + " wang:admin:" + OF_LI))
        .hasMessage("seckill.admin.tokens: entry 2 has the token of another entry.");
    assertThatThrownBy(() -> AdminTokens.of("li's", li))
        .hasMessage("seckill.admin.tokens: entry 1 has the token of another entry.");
    assertThatThrownBy(() -> AdminTokens.of("shared", "admin:view:" + OF_LI))
        .hasMessage("seckill.admin.tokens: entry 1 has the name of another token, admin.");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /admin/sales, VIEW",
    "HEAD, /admin/events, VIEW",
    "POST, /admin/sales/1/pause, OPERATE",
    "POST, /admin/sales/1/restock, OPERATE",
    "POST, /admin/dead-letters/1/replay, OPERATE",
    "PUT, /admin/limits, OPERATE",
    "PUT, /admin/activities/7, OPERATE",
    "PUT, /admin/sales/1, ADMIN",
    "PATCH, /admin/sales/1, ADMIN",
    "POST, /admin/sales/1/end, ADMIN",
    "POST, /admin/sales/1/settle, ADMIN",
    "POST, /admin/sales/1/rebuild, ADMIN",
    "POST, /admin/sales/1/pause/x, ADMIN",
    "POST, /admin/sales/pause, ADMIN",
    "PUT, /admin/sales/1/pause, ADMIN",
    "PUT, /admin/limits/x, ADMIN",
    "DELETE, /admin/limits, ADMIN",
    "POST, /admin/new, ADMIN",
    "OPTIONS, /admin, ADMIN"
  })
  void shouldAskForTheRoleThatACallNeeds(String method, String path, Role needed) {
    assertThat(Role.neededFor(method, path)).isEqualTo(needed);
  }
}
