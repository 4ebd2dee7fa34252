package io.seckill.webhook;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** When a delivery that failed is tried again. Immutable. */
public final class RetryPlan {
  /** An endpoint cannot ask for a longer pause, in milliseconds. */
  private static final long LONGEST = Duration.ofDays(1).toMillis();

  /** A pause is longer by up to this share, so that what failed together does not come together. */
  private static final double JITTER = 0.2;

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

  private final List<Long> pauses;

  /**
   * @param pauses milliseconds after the first try, the second and so on, with commas between them
   */
  public RetryPlan(String pauses) {
    this.pauses = Arrays.stream(pauses.split(",")).map(String::strip).map(Long::valueOf).toList();
  }

  /**
   * The pause before the next try.
   *
   * @param tries so far, 1 or more
   * @param retryAfter the header of the answer, seconds or a date; null for none. It can make the
   *     pause longer, up to a day
   * @return milliseconds; empty when the delivery is given up
   */
  Optional<Long> pauseAfter(int tries, String retryAfter, Instant now) {
    if (tries > pauses.size()) {
      return Optional.empty();
    }
    long pause = pauses.get(tries - 1);
    long jitter = (long) (pause * JITTER * ThreadLocalRandom.current().nextDouble());
    return Optional.of(Math.max(pause + jitter, Math.min(asked(retryAfter, now), LONGEST)));
  }

  private static long asked(String retryAfter, Instant now) {
    if (retryAfter == null) {
      return 0;
    }
    if (SECONDS.matcher(retryAfter).matches()) {
      return Duration.ofSeconds(Long.parseLong(retryAfter)).toMillis();
    }
    try {
      ZonedDateTime at = ZonedDateTime.parse(retryAfter, DateTimeFormatter.RFC_1123_DATE_TIME);
      return Duration.between(now, at).toMillis();
    } catch (DateTimeParseException neither) {
      return 0;
    }
  }
}
