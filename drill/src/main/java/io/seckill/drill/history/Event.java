package io.seckill.drill.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/**
 * One line of a history: something a client did, something the drill did, or something found in a
 * dump. {@code at} is in milliseconds since the run began, by the clock of the drill.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Event.Begin.class, name = "begin"),
  @JsonSubTypes.Type(value = Event.SaleOpened.class, name = "sale"),
  @JsonSubTypes.Type(value = Event.Restocked.class, name = "restocked"),
  @JsonSubTypes.Type(value = Event.Attempt.class, name = "attempt"),
  @JsonSubTypes.Type(value = Event.Look.class, name = "look"),
  @JsonSubTypes.Type(value = Event.Observation.class, name = "observation"),
  @JsonSubTypes.Type(value = Event.Deed.class, name = "deed"),
  @JsonSubTypes.Type(value = Event.Healed.class, name = "healed"),
  @JsonSubTypes.Type(value = Event.RedisLost.class, name = "redis-lost"),
  @JsonSubTypes.Type(value = Event.Rebuilt.class, name = "rebuilt"),
  @JsonSubTypes.Type(value = Event.AtRest.class, name = "at-rest"),
  @JsonSubTypes.Type(value = Event.BookFound.class, name = "book"),
  @JsonSubTypes.Type(value = Event.EntryFound.class, name = "entry"),
  @JsonSubTypes.Type(value = Event.RowFound.class, name = "row"),
  @JsonSubTypes.Type(value = Event.MessageFound.class, name = "message"),
  @JsonSubTypes.Type(value = Event.ProductFound.class, name = "product"),
  @JsonSubTypes.Type(value = Event.LedgerSaid.class, name = "ledger"),
  @JsonSubTypes.Type(value = Event.Asked.class, name = "asked"),
  @JsonSubTypes.Type(value = Event.SettlementFound.class, name = "settlement"),
  @JsonSubTypes.Type(value = Event.AlarmsFound.class, name = "alarms")
})
@JsonInclude(JsonInclude.Include.NON_NULL)
public sealed interface Event {
  long at();

  /**
   * The first line.
   *
   * @param mode full or minimal
   * @param strategy A or B
   * @param boundMillis how long after the last fault healed every 202 must have ended
   */
  record Begin(long at, long seed, String fault, String mode, String strategy, long boundMillis)
      implements Event {}

  record SaleOpened(long at, long productId, long initial, int maxQuantity) implements Event {}

  record Restocked(long at, long productId, long units) implements Event {}

  /**
   * A client asked to buy.
   *
   * @param at when the request was sent
   * @param end when the answer came, or when the client stopped waiting
   */
  record Attempt(
      long at,
      long end,
      int client,
      long productId,
      long userId,
      String key,
      int quantity,
      Answer answer)
      implements Event {
    public Purchase purchase() {
      return new Purchase(productId, userId, key);
    }
  }

  /**
   * A client asked for the result of a purchase.
   *
   * @param userId owner of the purchase
   * @param asker the user who asks; any user except userId must learn nothing
   */
  record Look(
      long at,
      long end,
      int client,
      long productId,
      long userId,
      String key,
      long asker,
      Answer answer)
      implements Event {
    public Purchase purchase() {
      return new Purchase(productId, userId, key);
    }
  }

  /**
   * Three reads in this order: the book, the units of MySQL's SUCCESS rows, the book again. A book
   * is null when Redis had none or gave no answer.
   */
  record Observation(long at, long productId, Book before, long committed, Book after)
      implements Event {}

  /** A step of the drill, for the reader. */
  record Deed(long at, String fault, String what) implements Event {}

  /** The last fault is over. */
  record Healed(long at) implements Event {}

  /** From here on Redis may have forgotten acknowledged data. */
  record RedisLost(long at, String how) implements Event {}

  /** The product's book was built again from MySQL. */
  record Rebuilt(long at, long productId) implements Event {}

  /**
   * The next lines of this stage are a dump of the state at rest.
   *
   * @param stage {@code rest}, {@code replayed} after everything was delivered again, or {@code
   *     settled}
   * @param quiet false when the drill stopped waiting while something still changed
   */
  record AtRest(long at, String stage, boolean quiet) implements Event {}

  /**
   * @param outbox entries in the outbox
   * @param pendingIndex members of the index of pending reservations
   */
  record BookFound(long at, String stage, long productId, Book book, long outbox, long pendingIndex)
      implements Event {}

  /** A field of the users hash. */
  record EntryFound(
      long at,
      String stage,
      long productId,
      long userId,
      String key,
      String requestId,
      int quantity,
      String status,
      String orderId)
      implements Event {
    public Purchase purchase() {
      return new Purchase(productId, userId, key);
    }
  }

  /**
   * A row of seckill_orders.
   *
   * @param idemKey productId:userId:clientKey
   */
  record RowFound(
      long at,
      String stage,
      long id,
      String requestId,
      long productId,
      long userId,
      int quantity,
      String idemKey,
      String status,
      long epoch)
      implements Event {
    public Purchase purchase() {
      return Purchase.ofScopedKey(idemKey);
    }

    public boolean isSuccess() {
      return status.equals("SUCCESS");
    }
  }

  /**
   * A record of a Kafka topic that could be read as an order.
   *
   * @param sentAt when it was sent, on the run's clock
   */
  record MessageFound(
      long at,
      String stage,
      String topic,
      int partition,
      long offset,
      long sentAt,
      long productId,
      long userId,
      String key,
      String requestId,
      long epoch)
      implements Event {
    public Purchase purchase() {
      return new Purchase(productId, userId, key);
    }
  }

  /**
   * A row of products.
   *
   * @param ledgerSum sum of the product's stock_ledger
   */
  record ProductFound(
      long at,
      String stage,
      long productId,
      long count,
      long initial,
      long restocked,
      long epoch,
      long ledgerSum)
      implements Event {}

  /** The application's own ledger at rest. */
  record LedgerSaid(long at, String stage, long productId, boolean balanced) implements Event {}

  /**
   * An operator asked for something.
   *
   * @param end when the answer came, or when the operator stopped waiting
   * @param action END, SETTLE, REBUILD, RESTOCK, PAUSE or RESUME
   * @param http status of the answer; 0 when none came
   * @param code {@code code} of a refusal, else null
   */
  record Asked(long at, long end, long productId, String action, int http, String code)
      implements Event {
    public boolean isDone() {
      return http >= 200 && http < 300;
    }

    /** Whether it may have been done, or be done later, though nobody said so. */
    public boolean isUnknown() {
      return http == 0 || http >= 500;
    }
  }

  /**
   * A row of settlements.
   *
   * @param orders SUCCESS orders
   * @param units their units
   * @param details what it found that differs, as JSON; null for nothing
   */
  record SettlementFound(
      long at,
      String stage,
      long productId,
      long initial,
      long restocked,
      long sold,
      long writtenOff,
      long orders,
      long units,
      long discrepancy,
      String details)
      implements Event {}

  /** The alarms of one node that stayed on after everything was healed. */
  record AlarmsFound(long at, String node, List<String> alarms) implements Event {
    public AlarmsFound {
      alarms = List.copyOf(alarms);
    }
  }
}
