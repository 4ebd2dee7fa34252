package io.seckill.minimal;

import io.seckill.api.Waiters;
import io.seckill.book.script.LookupReply.Found;
import io.seckill.domain.Purchase;
import io.seckill.minimal.OrderQueue.Known;
import java.util.List;
import java.util.Optional;

/**
 * The ends of the orders of this node, whose writer tells them. Whoever began to wait a moment
 * after that finds the end in this node's memory.
 */
record QueueEnds(OrderQueue queue, Waiters waiters) implements Waiters.Ends {
  @Override
  public void listen(long productId) {
    waiters.lookAgain(productId);
  }

  @Override
  public List<Found> ended(List<Purchase> purchases) {
    return purchases.stream()
        .map(queue::find)
        .flatMap(Optional::stream)
        .filter(known -> known.status().isTerminal())
        .map(QueueEnds::found)
        .toList();
  }

  private static Found found(Known known) {
    Purchase purchase = known.purchase();
    return new Found(
        purchase.requestId(),
        known.status(),
        known.orderId(),
        known.reason(),
        purchase.idemKey(),
        purchase.quantity(),
        "");
  }
}
