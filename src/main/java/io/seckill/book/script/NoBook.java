package io.seckill.book.script;

/**
 * The product has no book, or, where the script's header says so, one that a rebuild keeps closed.
 * The script has written nothing.
 */
public record NoBook()
    implements ConfirmReply,
        GateReply,
        LedgerReply,
        LookupReply,
        OverdueReply,
        PreheatReply,
        RebuildCompareReply,
        RebuildScanReply,
        ReleaseReply,
        ResendReply,
        ReserveReply,
        RestockReply,
        RetireBookReply,
        SaleStateReply,
        SettleBeginReply {
  public static final NoBook INSTANCE = new NoBook();

  static final int CODE = -1;
}
