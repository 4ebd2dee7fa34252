package io.seckill.book.script;

/**
 * The product has no book. Where the script's header says so, a rebuild may also keep the book
 * closed. The script has written nothing.
 */
public record NoBook()
    implements AdoptReply,
        BuyerReply,
        ConfirmReply,
        GateReply,
        HeldReply,
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
