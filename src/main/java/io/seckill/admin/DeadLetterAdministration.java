package io.seckill.admin;

import io.seckill.answer.Refusal;
import io.seckill.deadletter.DeadLetterRefusedException;
import io.seckill.deadletter.DeadLetterState;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads operators' requests for dead letters, and makes the answers. */
public final class DeadLetterAdministration {
  /** Default number of dead letters on a page. */
  public static final int DEFAULT_PAGE = 100;

  /** Largest number of dead letters on a page. */
  public static final int MAX_PAGE = 500;

  /** The id in a path. @throws Refusal 400 INVALID_REQUEST */
  public long id(Object header) {
    return QueryNumbers.number(header, "id", 1, Long.MAX_VALUE);
  }

  /** The state in a request; empty for all. @throws Refusal 400 INVALID_REQUEST */
  public String state(Object header) {
    if (header == null || "".equals(header)) {
      return "";
    }
    if (Arrays.stream(DeadLetterState.values()).anyMatch(state -> state.name().equals(header))) {
      return (String) header;
    }
    throw Refusal.of(
            400,
            "INVALID_REQUEST",
            "'state' must be one of " + Arrays.toString(DeadLetterState.values()) + ".")
        .with("member", "state");
  }

  /** The id before the page; 0 by default. @throws Refusal 400 INVALID_REQUEST */
  public long after(Object header) {
    return header == null ? 0 : QueryNumbers.number(header, "after", 0, Long.MAX_VALUE);
  }

  /** The number of dead letters on the page. @throws Refusal 400 INVALID_REQUEST */
  public int limit(Object header) {
    return header == null ? DEFAULT_PAGE : (int) QueryNumbers.number(header, "limit", 1, MAX_PAGE);
  }

  /**
   * The answer with a page. After a full page, {@code next} is the {@code after} of the next page.
   */
  public Map<String, Object> page(List<ShownDeadLetter> rows, int limit) {
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("deadLetters", rows.stream().map(this::view).toList());
    if (rows.size() == limit) {
      page.put("next", rows.get(rows.size() - 1).id());
    }
    return page;
  }

  /**
   * The answer with a dead letter. {@code payload} is the failed record as text, {@code
   * payloadBase64} a record that is not text.
   */
  public Map<String, Object> view(ShownDeadLetter row) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", row.id());
    view.put("state", row.state());
    view.put("requestId", row.requestId());
    view.put("productId", row.productId());
    view.put("userId", row.userId());
    view.put("cause", row.cause());
    view.put("attempts", row.attempts());
    view.put("source", row.source());
    view.put("origin", row.origin());
    view.put("parkedUntil", instant(row.parkedUntil()));
    view.put("createdAt", instant(row.createdAt()));
    view.put("updatedAt", instant(row.updatedAt()));
    byte[] payload = row.payload();
    try {
      view.put(
          "payload",
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString());
    } catch (CharacterCodingException e) {
      view.put("payloadBase64", Base64.getEncoder().encodeToString(payload));
    }
    if (row.payloadLength() > payload.length) {
      view.put("payloadLength", row.payloadLength());
    }
    return view;
  }

  private static String instant(Long millis) {
    return millis == null ? null : Instant.ofEpochMilli(millis).toString();
  }

  /**
   * Turns the refusal of a call on a dead letter into a {@link Refusal}.
   *
   * @param failure a {@link DeadLetterRefusedException}, or an exception caused by one
   * @throws Refusal 404 UNKNOWN_DEAD_LETTER, 409 for every other code
   */
  public void refuse(Throwable failure) {
    Throwable cause = failure;
    while (!(cause instanceof DeadLetterRefusedException) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof DeadLetterRefusedException refused) {
      throw Refusal.of(
          refused.code() == DeadLetterRefusedException.Code.UNKNOWN_DEAD_LETTER ? 404 : 409,
          refused.code().name(),
          refused.getMessage());
    }
    throw new IllegalArgumentException("Not a refusal", failure);
  }
}
