package io.seckill.drill.history;

/**
 * An answer to a client.
 *
 * @param http status of the response; 0 when none came (time-out, connection cut), so that the
 *     outcome is unknown
 * @param code {@code code} of a refusal, else null
 * @param status {@code status} of a purchase, else null
 */
public record Answer(int http, String code, String status, String requestId, String orderId) {
  public static final Answer NONE = new Answer(0, null, null, null, null);

  public static Answer accepted(String requestId) {
    return new Answer(202, null, "PENDING", requestId, null);
  }

  public static Answer ended(String status, String requestId, String orderId) {
    return new Answer(200, null, status, requestId, orderId);
  }

  public static Answer refused(int http, String code) {
    return new Answer(http, code, null, null, null);
  }

  /** The server acknowledged a reservation: 202, or 200 once it has ended. */
  public boolean isReserved() {
    return http == 202 || http == 200;
  }

  /**
   * Whether the outcome is unknown. That includes a 5xx, because the script may have run and its
   * reply may be lost.
   */
  public boolean isUnknown() {
    return http == 0 || http >= 500;
  }

  public boolean isTerminal() {
    return http == 200 && status != null && !status.equals("PENDING");
  }

  /** Whether it tells nothing about the purchase: no answer, a 5xx, or a 429. */
  public boolean saysNothing() {
    return isUnknown() || http == 429;
  }

  @Override
  public String toString() {
    if (http == 0) {
      return "no answer";
    }
    StringBuilder text = new StringBuilder().append(http);
    for (String part : new String[] {code, status, requestId}) {
      if (part != null) {
        text.append(' ').append(part);
      }
    }
    return orderId == null ? text.toString() : text + " order " + orderId;
  }
}
