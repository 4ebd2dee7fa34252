package io.seckill.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.book.script.LookupReply.Found;
import io.seckill.domain.Purchase;
import io.seckill.domain.RequestId;
import io.seckill.domain.Status;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WaitersTest {
  private static final long PRODUCT = 1001;

  private final Vertx vertx = Vertx.vertx();
  private final ContextInternal loop = ((VertxInternal) vertx).createEventLoopContext();
  private final Waiters waiters = new Waiters(6);
  private final Source source = new Source();
  private final List<Runnable> closing = new CopyOnWriteArrayList<>();

  /** Tells what the tests let end. */
  private final class Source implements Waiters.Ends {
    private final List<Long> listening = new CopyOnWriteArrayList<>();
    private final AtomicInteger looks = new AtomicInteger();
    private volatile List<Found> ended = List.of();

    @Override
    public void listen(long productId) {
      listening.add(productId);
      waiters.lookAgain(productId);
    }

    @Override
    public List<Found> ended(List<Purchase> purchases) {
      looks.incrementAndGet();
      if (ended.isEmpty()) {
        throw new IllegalStateException("away");
      }
      return ended;
    }
  }

  @AfterEach
  void stop() {
    waiters.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void shouldTellTheEndToWhomItConcerns() {
    waiters.listenTo(source);
    CompletableFuture<Optional<Found>> one = wait(1, "k", 30);
    CompletableFuture<Optional<Found>> again = wait(1, "k", 30);
    CompletableFuture<Optional<Found>> other = wait(2, "k", 30);
    CompletableFuture<Optional<Found>> elsewhere = wait(1, "other", 30);

    waiters.ended(PRODUCT, success(1, "k"));
    waiters.ended(PRODUCT, success(1, "k"));
    waiters.ended(PRODUCT + 1, success(2, "k"));

    assertThat(one.join()).contains(success(1, "k"));
    assertThat(again.join()).contains(success(1, "k"));
    await().atMost(60, TimeUnit.SECONDS).until(() -> waiters.size() == 2);
    assertThat(other).isNotDone();
    assertThat(elsewhere).isNotDone();
    assertThat(source.listening).containsExactly(PRODUCT);
  }

  @Test
  void shouldLookUpWhoeverBeganBeforeItListenedAndAfterEachFailure() {
    waiters.listenTo(source);
    CompletableFuture<Optional<Found>> waiting = wait(1, "k", 30);
    await().atMost(60, TimeUnit.SECONDS).until(() -> source.looks.get() >= 2);

    source.ended = List.of(success(1, "k"));

    assertThat(waiting.join()).contains(success(1, "k"));
  }

  @Test
  void shouldLetGoWhenTheTimeIsOver() {
    waiters.listenTo(source);
    assertThat(wait(1, "k", 1).join()).isEmpty();
    assertThat(waiters.size()).isZero();
  }

  @Test
  void shouldForgetWhoeverHasLeft() {
    waiters.listenTo(source);
    CompletableFuture<Optional<Found>> gone = wait(1, "k", 30);
    closing.forEach(Runnable::run);
    assertThat(gone.join()).isEmpty();
    assertThat(waiters.size()).isZero();
  }

  @Test
  void shouldRefuseMoreThanItHasRoomFor() {
    waiters.listenTo(source);
    List<CompletableFuture<Optional<Found>>> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiting.add(wait(1, "k", 30));
    }
    assertThat(wait(1, "k", 30)).as("a fifth for one purchase").isNull();
    waiting.add(wait(2, "k", 30));
    waiting.add(wait(3, "k", 30));
    assertThat(waiting).doesNotContainNull();
    assertThat(wait(4, "k", 30)).as("a seventh in all").isNull();

    waiters.ended(PRODUCT, success(2, "k"));
    waiting.get(4).join();
    assertThat(wait(4, "k", 30)).isNotNull();
  }

  @Test
  void shouldLetEverybodyGoAtTheEnd() {
    waiters.listenTo(source);
    CompletableFuture<Optional<Found>> waiting = wait(1, "k", 30);
    waiters.close();
    assertThat(waiting.join()).isEmpty();
    assertThat(wait(1, "k", 30)).isNull();
  }

  /** What the wait gives; null when it is refused. */
  private CompletableFuture<Optional<Found>> wait(long user, String key, int seconds) {
    CompletableFuture<CompletableFuture<Optional<Found>>> begun = new CompletableFuture<>();
    loop.runOnContext(
        ignored -> {
          CompletableFuture<Optional<Found>> over = new CompletableFuture<>();
          boolean waits =
              waiters.await(
                  purchase(user, key),
                  new Wait(seconds, false, closing::add),
                  found -> over.complete(Optional.ofNullable(found)));
          begun.complete(waits ? over : null);
        });
    CompletableFuture<Optional<Found>> over = begun.orTimeout(60, TimeUnit.SECONDS).join();
    return over == null ? null : over.orTimeout(60, TimeUnit.SECONDS);
  }

  private static Purchase purchase(long user, String key) {
    return new Purchase(PRODUCT, user, key, 1, RequestId.of(PRODUCT, user, key).toString());
  }

  private static Found success(long user, String key) {
    return new Found(
        RequestId.of(PRODUCT, user, key).toString(), Status.SUCCESS, 7L, null, key, 1, "1-0");
  }
}
