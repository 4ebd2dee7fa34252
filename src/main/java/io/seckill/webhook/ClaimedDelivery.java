package io.seckill.webhook;

/**
 * A delivery that this node may send until its lease ends: a row of {@code sql/webhook-claim.sql}.
 *
 * @param attempts how often it was tried before
 * @param leaseUntil end of the lease, epoch milliseconds of MySQL's clock; it tells this claim from
 *     all others
 * @param formerSecret signs too while secrets are changed; null otherwise
 */
public record ClaimedDelivery(
    long id,
    long webhookId,
    String eventId,
    byte[] body,
    int attempts,
    long leaseUntil,
    String url,
    String secret,
    String formerSecret) {

  /** Without the secrets, because logs may show it. */
  @Override
  public String toString() {
    return "delivery " + id + " of event " + eventId + " to endpoint " + webhookId;
  }
}
