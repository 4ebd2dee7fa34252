package io.seckill.book.script;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A script of folder {@code lua} and how its replies are read.
 *
 * @param name file name without {@code .lua}
 * @param reader makes a reply of its values (Long, String and lists of both); may throw any
 *     RuntimeException for unknown values
 */
public record Script<R extends ScriptReply>(String name, Function<List<Object>, R> reader) {
  public static final Script<ReserveReply> RESERVE = new Script<>("reserve", ReserveReply::read);
  public static final Script<LookupReply> LOOKUP = new Script<>("lookup", LookupReply::read);
  public static final Script<GateReply> GATE = new Script<>("gate", GateReply::read);
  public static final Script<ConfirmReply> CONFIRM = new Script<>("confirm", ConfirmReply::read);
  public static final Script<ReleaseReply> RELEASE = new Script<>("release", ReleaseReply::read);
  public static final Script<AcknowledgeReply> ACKNOWLEDGE =
      new Script<>("acknowledge", AcknowledgeReply::read);
  public static final Script<ResendReply> RESEND = new Script<>("resend", ResendReply::read);
  public static final Script<OverdueReply> OVERDUE = new Script<>("overdue", OverdueReply::read);
  public static final Script<LedgerReply> LEDGER = new Script<>("ledger", LedgerReply::read);
  public static final Script<PreheatReply> PREHEAT = new Script<>("preheat", PreheatReply::read);
  public static final Script<SaleStateReply> SALE_STATE =
      new Script<>("sale-state", SaleStateReply::read);
  public static final Script<RestockReply> RESTOCK = new Script<>("restock", RestockReply::read);
  public static final Script<SettleBeginReply> SETTLE_BEGIN =
      new Script<>("settle-begin", SettleBeginReply::read);
  public static final Script<RetireBookReply> RETIRE_BOOK =
      new Script<>("retire-book", RetireBookReply::read);
  public static final Script<RetireReadersReply> RETIRE_READERS =
      new Script<>("retire-readers", RetireReadersReply::read);
  public static final Script<AdoptReply> ADOPT = new Script<>("adopt", AdoptReply::read);
  public static final Script<HeldReply> HELD = new Script<>("held", HeldReply::read);
  public static final Script<RightsReply> RIGHTS = new Script<>("rights", RightsReply::read);
  public static final Script<BuyerReply> BUYER = new Script<>("buyer", BuyerReply::read);
  public static final Script<NodesReply> NODES = new Script<>("nodes", NodesReply::read);
  public static final Script<TimeReply> TIME = new Script<>("time", TimeReply::read);
  public static final Script<RebuildCloseReply> REBUILD_CLOSE =
      new Script<>("rebuild-close", RebuildCloseReply::read);
  public static final Script<RebuildCompareReply> REBUILD_COMPARE =
      new Script<>("rebuild-compare", RebuildCompareReply::read);
  public static final Script<RebuildScanReply> REBUILD_SCAN =
      new Script<>("rebuild-scan", RebuildScanReply::read);
  public static final Script<RebuildStageReply> REBUILD_STAGE =
      new Script<>("rebuild-stage", RebuildStageReply::read);
  public static final Script<RebuildSwapReply> REBUILD_SWAP =
      new Script<>("rebuild-swap", RebuildSwapReply::read);

  private static final Map<String, Script<?>> KNOWN =
      Stream.of(
              RESERVE,
              LOOKUP,
              GATE,
              CONFIRM,
              RELEASE,
              ACKNOWLEDGE,
              RESEND,
              OVERDUE,
              LEDGER,
              PREHEAT,
              SALE_STATE,
              RESTOCK,
              SETTLE_BEGIN,
              RETIRE_BOOK,
              RETIRE_READERS,
              ADOPT,
              HELD,
              RIGHTS,
              BUYER,
              NODES,
              TIME,
              REBUILD_CLOSE,
              REBUILD_COMPARE,
              REBUILD_SCAN,
              REBUILD_STAGE,
              REBUILD_SWAP)
          .collect(Collectors.toUnmodifiableMap(Script::name, Function.identity()));

  /**
   * The script of this name; a script that is not listed above replies with an {@link OwnReply}.
   */
  public static Script<?> named(String name) {
    Script<?> known = KNOWN.get(name);
    return known != null ? known : new Script<>(name, OwnReply::read);
  }

  /**
   * Makes a reply of these values.
   *
   * @throws UnknownReplyException when the values are unknown
   */
  public R read(List<Object> values) {
    try {
      return reader.apply(values);
    } catch (RuntimeException e) {
      Object code = values == null || values.isEmpty() ? null : values.get(0);
      throw new UnknownReplyException(name, code, e);
    }
  }
}
