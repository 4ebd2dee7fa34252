package io.seckill.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.seckill.answer.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdminTokenTest {
  private final AdminToken token = new AdminToken("s3cret");

  @Test
  void shouldLetTheTokenPassWhateverTheCaseOfTheScheme() {
    assertThatCode(() -> token.require("Bearer s3cret")).doesNotThrowAnyException();
    assertThatCode(() -> token.require("bearer  s3cret ")).doesNotThrowAnyException();
  }

  @Test
  void shouldNotCountTheNewlineAtTheEndOfAFileThatHoldsTheToken() {
    AdminToken ofFile = new AdminToken("s3cret\n");

    assertThatCode(() -> ofFile.require("Bearer s3cret")).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "Bearer",
        "Bearer ",
        "Bearer s3cre",
        "Bearer s3cret1",
        "Basic s3cret",
        "s3cret"
      })
  void shouldRefuseEverythingElseWithAChallenge(String authorization) {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> token.require(authorization));

    assertThat(refusal.status()).isEqualTo(401);
    assertThat(refusal.code()).isEqualTo("UNAUTHENTICATED");
    assertThat(refusal.challenge().orElseThrow()).startsWith("Bearer realm=");
    assertThat(refusal.getMessage()).doesNotContain("s3cret");
  }

  @Test
  void shouldRefuseAHeaderThatCameTwice() {
    assertThat(
            catchThrowableOfType(
                Refusal.class, () -> token.require(List.of("Bearer x", "Bearer s3cret"))))
        .isNotNull();
  }

  @Test
  void shouldNotGuardWithAnEmptyToken() {
    assertThatIllegalArgumentException().isThrownBy(() -> new AdminToken(" "));
  }
}
