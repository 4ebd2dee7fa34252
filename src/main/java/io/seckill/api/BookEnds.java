package io.seckill.api;

import io.seckill.book.BookKeys;
import io.seckill.book.script.LookupReply;
import io.seckill.book.script.LookupReply.Found;
import io.seckill.book.script.Script;
import io.seckill.domain.Purchase;
import io.seckill.redis.RedisChannels;
import io.seckill.redis.ScriptCall;
import io.seckill.redis.ScriptRunner;
import io.seckill.redis.SpringRedis;
import java.util.List;
import java.util.stream.IntStream;

/** The ends of purchases, as scripts of all nodes publish them in Redis. */
final class BookEnds implements Waiters.Ends, RedisChannels.Listener {
  /** Look-ups in one round trip. */
  private static final int PAGE = 500;

  private final ScriptRunner scripts;
  private final Waiters waiters;
  private final RedisChannels channels;

  BookEnds(SpringRedis redis, ScriptRunner scripts, Waiters waiters) {
    this.scripts = scripts;
    this.waiters = waiters;
    this.channels = redis.channels(this);
  }

  @Override
  public void listen(long productId) {
    channels.subscribe(BookKeys.ends(productId));
  }

  @Override
  public void leave(long productId) {
    channels.unsubscribe(BookKeys.ends(productId));
  }

  @Override
  public List<Found> ended(List<Purchase> purchases) {
    return IntStream.iterate(0, from -> from < purchases.size(), from -> from + PAGE)
        .mapToObj(from -> purchases.subList(from, Math.min(purchases.size(), from + PAGE)))
        .map(page -> scripts.callAll(Script.LOOKUP, page.stream().map(BookEnds::call).toList()))
        .flatMap(List<LookupReply>::stream)
        .filter(reply -> reply instanceof Found found && found.status().isTerminal())
        .map(Found.class::cast)
        .toList();
  }

  /** Asks by key, because a purchase that has failed is not found by its request id. */
  private static ScriptCall call(Purchase purchase) {
    return ScriptCall.of(
        purchase.productId(), Long.toString(purchase.userId()), purchase.idemKey(), "");
  }

  @Override
  public void message(String channel, String text) {
    long productId = BookKeys.productOf(channel);
    text.lines().map(Found::ofEntry).forEach(end -> waiters.ended(productId, end));
  }

  @Override
  public void subscribed(String channel) {
    waiters.lookAgain(BookKeys.productOf(channel));
  }
}
