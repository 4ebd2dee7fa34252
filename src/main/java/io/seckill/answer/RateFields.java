package io.seckill.answer;

import io.seckill.rate.Standing;
import java.util.concurrent.TimeUnit;

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-10 (structured fields, RFC 9651): {@code
 * RateLimit-Policy: "user";q=50;w=1} means 50 requests in a window of one second. {@code RateLimit:
 * "user";r=49;t=1} means 49 left; within one second the quota is whole again, or, where none is
 * left, the next request is allowed.
 */
final class RateFields {
  static final String POLICY = "RateLimit-Policy";
  static final String STANDING = "RateLimit";

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private RateFields() {}

  static String policy(Standing standing) {
    return "\"" + standing.limit().label() + "\";q=" + standing.rate() + ";w=1";
  }

  static String standing(Standing standing) {
    return "\""
        + standing.limit().label()
        + "\";r="
        + standing.remaining()
        + ";t="
        + seconds(standing);
  }

  /** Whole seconds until the next request may succeed, at least 1. */
  static int seconds(Standing standing) {
    return (int) Math.max(1, (standing.waitNanos() + SECOND - 1) / SECOND);
  }
}
