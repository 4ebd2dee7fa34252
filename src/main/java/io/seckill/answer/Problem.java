package io.seckill.answer;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Map;

/** Writes a {@link Refusal} as {@code application/problem+json} (RFC 9457). */
public final class Problem {
  public static final String MEDIA_TYPE = "application/problem+json";

  private Problem() {}

  /** Makes the response for a refusal, with its Retry-After and WWW-Authenticate. */
  public static Answer of(Refusal refusal) {
    JsonObject json =
        new JsonObject()
            .put("type", refusal.type())
            .put("title", HttpResponseStatus.valueOf(refusal.status()).reasonPhrase())
            .put("status", refusal.status())
            .put("code", refusal.code())
            .put("detail", refusal.getMessage());
    refusal.members().forEach(json::put);
    Answer answer = new Answer(refusal.status(), MEDIA_TYPE, Map.of(), json.toBytes());
    if (refusal.retryAfter().isPresent()) {
      answer = answer.with("Retry-After", Integer.toString(refusal.retryAfter().getAsInt()));
    }
    if (refusal.challenge().isPresent()) {
      answer = answer.with("WWW-Authenticate", refusal.challenge().get());
    }
    return answer;
  }
}
