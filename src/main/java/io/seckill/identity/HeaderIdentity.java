package io.seckill.identity;

import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.domain.PositiveId;
import io.seckill.http.Request;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Reads the user id that a trusted gateway puts into {@code X-User-Id} ({@code
 * seckill.identity=header}). A request with two such headers is refused, because the client may
 * have sent one of them.
 */
public final class HeaderIdentity implements Identity {
  private static final String HEADER = "X-User-Id";

  private static final Refusal NONE =
      Refusal.of(401, "UNAUTHENTICATED", "The request carries no identity.")
          .challenge("X-User-Id realm=\"seckill\"");
  private static final Refusal MALFORMED =
      Refusals.invalid("X-User-Id must be a positive 64-bit integer.");

  /**
   * {@inheritDoc}
   *
   * @throws Refusal 401 UNAUTHENTICATED without the header or with several; 400 INVALID_REQUEST
   *     when the id is not a positive BIGINT
   */
  @Override
  public OptionalLong known(Request request) {
    List<String> values = request.headers(HEADER);
    if (values.size() != 1 || values.get(0).isBlank()) {
      throw NONE;
    }
    long userId = PositiveId.parse(values.get(0));
    if (userId == PositiveId.INVALID) {
      throw MALFORMED;
    }
    return OptionalLong.of(userId);
  }

  /** Never called, because {@link #known} finds every user id. */
  @Override
  public CompletableFuture<Long> verify(Request request) {
    return CompletableFuture.completedFuture(known(request).getAsLong());
  }
}
