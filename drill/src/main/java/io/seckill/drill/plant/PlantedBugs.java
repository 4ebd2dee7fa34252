package io.seckill.drill.plant;

import static io.seckill.drill.check.Invariant.I1;
import static io.seckill.drill.check.Invariant.I10;
import static io.seckill.drill.check.Invariant.I11;
import static io.seckill.drill.check.Invariant.I2;
import static io.seckill.drill.check.Invariant.I3;
import static io.seckill.drill.check.Invariant.I4;
import static io.seckill.drill.check.Invariant.I5;
import static io.seckill.drill.check.Invariant.I7;
import static io.seckill.drill.check.Invariant.I8;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The bugs that people write into such systems. */
public final class PlantedBugs {
  /** The folder of all routes. Node ids are unique, so an edit finds its route. */
  private static final String ROUTES = "routes";

  /** Turns off the sweeper, which would find lost reservations after a while. */
  private static final Map<String, String> NO_SWEEPER =
      Map.of("seckill.sweeper.pending-limit", "3600000");

  private static final String READ_COMPENSATIONS =
      "id: read-compensations\n                  uri: sql:classpath:sql/";

  private static final String GIVE_ENDS =
      "id: give-missed-ends\n                              uri: ";

  private static final String SETTLEMENTS = "io/seckill/admin/Settlements.java";

  private PlantedBugs() {}

  /** In a fixed order. */
  public static List<Planted> all() {
    return List.of(
        noUniqueKey(),
        acknowledgedBeforeSend(),
        unguardedRelease(),
        noTombstone(),
        offsetFirst(),
        confirmSkipped(),
        decrementedOnRedelivery(),
        noReadBack(),
        olderEpochInserted(),
        adoptedWithoutEpoch(),
        repeatableRead(),
        settledBookStays(),
        phantomUnits(),
        settledThoughBehind(),
        closedBookCompared(),
        lateTombstoneForgotten(),
        unknownTombstoneForgotten(),
        missedEndsForgotten(),
        missRemembered(),
        otherConnectionsStay(),
        offsetGoesBack(),
        endNotAwaited(),
        milestoneNotedFirst(),
        transactionWithoutLimit());
  }

  private static Planted settledBookStays() {
    return Planted.drilled(
        "settled-book-stays",
        "What an older copy of Redis brings back of a settled sale stays, and sells.",
        "settled-sale-in-older-copy",
        "A",
        Map.of(),
        List.of(
            new Edit(
                "lua/retire-book.lua",
                "if settled == (ARGV[2] == 'other') then return {0} end",
                "if not settled or ARGV[2] == 'other' then return {0} end")),
        List.of(),
        List.of(),
        Set.of(I11));
  }

  private static Planted phantomUnits() {
    return Planted.tested(
        "phantom-units",
        "Strategy B: a rebuild takes written-off units off the stock, also those that never were.",
        "io.seckill.recovery.RebuildOfStrategyBIT#shouldSellAgainWhatIsRestockedAfterAShortageAndALoss",
        List.of(
            new Edit(
                "io/seckill/recovery/Remainder.java",
                "Math.min(unsold, count)",
                "unsold - units.writtenOff()")));
  }

  private static Planted settledThoughBehind() {
    return Planted.drilled(
        "settled-though-behind",
        "A book that lacks orders of MySQL is settled.",
        "redis-forgets-an-order-and-ends",
        "A",
        Map.of(),
        List.of(
            new Edit(SETTLEMENTS, "if (behind && units <= initial + restocked) {", "if (false) {")),
        List.of(),
        List.of(),
        Set.of(I11));
  }

  private static Planted closedBookCompared() {
    String comparison = "io/seckill/admin/OrderComparison.java";
    return Planted.drilled(
        "closed-book-compared",
        "A settlement takes a book that a rebuild has closed for one that lacks every order.",
        "settle-and-rebuild-at-once",
        "A",
        Map.of(),
        List.of(
            new Edit(comparison, "if (replies.get(i) instanceof NoBook) {", "if (false) {"),
            new Edit(comparison, "        lacking++;\n", ""),
            new Edit(
                SETTLEMENTS,
                "stored.rebuildSince() != null || sale.epoch() != closed.epoch()",
                "false")),
        List.of(),
        List.of(),
        Set.of(I11));
  }

  private static Planted lateTombstoneForgotten() {
    return Planted.drilled(
        "late-tombstone-forgotten",
        "A rebuilt book lacks the tombstones that were written after its snapshot.",
        "relay-wakes-during-rebuild",
        "A",
        Map.of(),
        List.of(
            new Edit(
                ROUTES,
                """
                        - bean:
                            id: extend-snapshot
                            ref: rebuildSnapshots
                            method: extend
                """,
                "")),
        List.of(),
        List.of(),
        Set.of(I5, I8, I2));
  }

  private static Planted unknownTombstoneForgotten() {
    return Planted.drilled(
        "unknown-tombstone-forgotten",
        "A tombstone of a reservation that the book never knew does not come to the book.",
        "relay-wakes-in-older-copy",
        "A",
        Map.of(),
        List.of(
            new Edit(
                "lua/release.lua",
                "if not known[i] and not seen[failed[i]] then",
                "if false then")),
        List.of(),
        List.of(),
        Set.of(I5, I8));
  }

  private static Planted missedEndsForgotten() {
    return Planted.drilled(
        "missed-ends-forgotten",
        "A book that came with another Redis is sold from without the ends it has missed.",
        "redis-lacks-ends",
        "A",
        NO_SWEEPER,
        List.of(
            new Edit(
                ROUTES,
                GIVE_ENDS + "direct:follow-missed-ends",
                GIVE_ENDS + "direct:read-adopted")),
        List.of(),
        List.of(),
        Set.of(I5));
  }

  private static Planted missRemembered() {
    return Planted.tested(
        "miss-remembered",
        "A look-up that found nothing while a book was closed counts when it is open again.",
        "io.seckill.api.ResultApiIT#shouldNotRememberAMissOfWhileABookWasClosed",
        List.of(
            new Edit(
                "io/seckill/api/MissedLookups.java",
                "return miss != null && miss.books() == books && (uncertain || !miss.uncertain());",
                "return miss != null;")));
  }

  private static Planted otherConnectionsStay() {
    return Planted.tested(
        "other-connections-stay",
        "When one connection finds another Redis, the others stay with the one before.",
        "io.seckill.redis.ScriptRunnerIT#shouldNotSellInARedisThatWasReplacedThoughAConnectionStillReachesIt",
        List.of(
            new Edit(
                "io/seckill/redis/RedisConnections.java",
                "if (other != link) {",
                "if (link == null) {")));
  }

  private static Planted offsetGoesBack() {
    String records = "io/seckill/kafka/PolledRecords.java";
    return Planted.tested(
        "offset-goes-back",
        "A consumer commits for partitions that others have had meanwhile.",
        "io.seckill.kafka.PolledRecordsIT#shouldNotTakeAnOffsetBackThatAnotherConsumerHasCommittedMeanwhile",
        List.of(
            new Edit(records, "    next.keySet().retainAll(consumer.assignment());\n", ""),
            new Edit(
                records,
                "if (committed != null && committed.offset() > next.get(partition).offset()) {",
                "if (false) {")));
  }

  private static Planted endNotAwaited() {
    return Planted.tested(
        "end-not-awaited",
        "The offset of an order is committed though Kafka may never have its event.",
        "io.seckill.order.ResultEventsIT#shouldTellLaterWhatKafkaDidNotTake",
        List.of(
            new Edit(
                ROUTES,
                "- to:\n                  id: tell-results\n",
                "- wireTap:\n                  id: tell-results\n")));
  }

  private static Planted milestoneNotedFirst() {
    return Planted.tested(
        "milestone-noted-first",
        "That a sale has opened is noted as told though Kafka did not take it.",
        "io.seckill.order.ResultEventsIT#shouldNoteNothingThatKafkaDidNotTake",
        List.of(
            new Edit(
                ROUTES,
                "- transacted:\n            id: tell-and-note\n            ref: required\n",
                "- pipeline:\n            id: tell-and-note\n")));
  }

  private static Planted transactionWithoutLimit() {
    return Planted.tested(
        "transaction-without-limit",
        "A node that sleeps within a transaction keeps the sale's row for hours.",
        "io.seckill.recovery.SleepingTransactionIT#shouldLimitTheTimeBetweenTwoStatementsOfATransaction",
        List.of(
            new Edit("io/seckill/sql/OrderDatabase.java", "variables + IDLE_LIMIT", "variables")));
  }

  private static Planted noUniqueKey() {
    return Planted.drilled(
        "no-unique-key",
        "seckill_orders has no unique keys: a message that comes twice is two orders.",
        "messages-ten-times",
        "A",
        Map.of(),
        List.of(),
        List.of("ALTER TABLE seckill_orders DROP INDEX uk_request, DROP INDEX uk_pu"),
        List.of(
            "DELETE FROM seckill_orders",
            "ALTER TABLE seckill_orders ADD UNIQUE KEY uk_request (request_id), ADD UNIQUE KEY"
                + " uk_pu (product_id, user_id, live)"),
        Set.of(I4, I10));
  }

  private static Planted acknowledgedBeforeSend() {
    String acknowledge =
        """
                - bean:
                    id: list-acknowledgements
                    beanType: io.seckill.outbox.OutboxEntry
                    method: acknowledgements({{seckill.relay.group}}, ${variable.entries})
                - to:
                    id: acknowledge-entries
                    uri: redis-script:acknowledge
        """;
    String compose =
        """
                - bean:
                    id: compose-records
        """;
    return Planted.drilled(
        "acknowledged-before-send",
        "The relay takes entries out of the outbox before Kafka has them.",
        "halt-publish-orders-before",
        "A",
        NO_SWEEPER,
        List.of(
            new Edit(ROUTES, acknowledge, ""),
            new Edit(
                ROUTES,
                compose,
                acknowledge
                    + "        - setBody:\n            id: back-to-entries\n"
                    + "            expression: {variable: {expression: entries}}\n"
                    + compose)),
        List.of(),
        List.of(),
        Set.of(I2, I5));
  }

  private static Planted unguardedRelease() {
    String release = "lua/release.lua";
    return Planted.drilled(
        "unguarded-release",
        "release.lua returns units whatever the reservation's state is.",
        "mysql-refuses",
        "A",
        Map.of(),
        List.of(
            new Edit(
                release,
                "local entries = redis.call('HMGET', KEYS[2], unpack(users))\n",
                """
                local entries = redis.call('HMGET', KEYS[2], unpack(users))
                local all = redis.call('HGETALL', KEYS[2])
                for i = 1, n do
                  for j = 2, #all, 2 do
                    if string.match(all[j], '^([^|]*)') == ARGV[3 * i] then entries[i] = all[j] end
                  end
                end
                """),
            new Edit(release, "state ~= 'PENDING' or seen[id]", "seen[id]"),
            new Edit(release, "if units > tonumber(book[2]) then", "if false then")),
        List.of(),
        List.of(),
        Set.of(I1, I2, I10));
  }

  private static Planted noTombstone() {
    return Planted.drilled(
        "no-tombstone",
        "Compensation leaves no row behind: a late message becomes an order all the same.",
        "dead-letters-first",
        "A",
        Map.of(),
        List.of(
            new Edit(
                ROUTES,
                """
                              - bean:
                                  id: judge-compensations
                                  ref: orderWriter
                                  method: judgeAll
                """,
                """
                              - bean:
                                  id: judge-compensations
                                  ref: orderWriter
                                  method: judgeAll
                              - setVariable:
                                  id: keep-judgement
                                  name: judgement
                                  expression: {simple: {expression: "${body}"}}
                              - to:
                                  id: take-tombstones-away
                                  uri: sql:classpath:sql/planted.sql
                              - setBody:
                                  id: back-to-judgement
                                  expression: {variable: {expression: judgement}}
                """),
            new Edit(
                "sql/planted.sql",
                null,
                """
                DELETE FROM seckill_orders
                WHERE status = 'FAIL_SYSTEM' AND request_id IN (:#in:${variable.batch.requestIds})
                """)),
        List.of(),
        List.of(),
        Set.of(I7, I2));
  }

  private static Planted offsetFirst() {
    String commit =
        """
                - bean:
                    id: commit-offsets
                    ref: polledRecords
                    method: commit(${variable.polled})
        """;
    String read =
        """
                - bean:
                    id: read-records
        """;
    return Planted.drilled(
        "offset-first",
        "The writer commits its offsets before the database commit.",
        "halt-write-batch-before",
        "A",
        NO_SWEEPER,
        List.of(new Edit(ROUTES, commit, ""), new Edit(ROUTES, read, commit + read)),
        List.of(),
        List.of(),
        Set.of(I5, I2));
  }

  private static Planted confirmSkipped() {
    return Planted.drilled(
        "confirm-skipped",
        "The writer does not run confirm.lua: the buyer's PENDING never ends.",
        "none",
        "A",
        Map.of(),
        List.of(
            new Edit(
                ROUTES,
                """
                              - to:
                                  id: confirm-orders
                                  uri: redis-script:confirm
                              - bean:
                                  id: report-confirmed
                                  ref: outcomeReport
                                  method: confirmed
                """,
                """
                              - log:
                                  id: confirm-orders
                                  message: "not confirmed"
                """)),
        List.of(),
        List.of(),
        Set.of(I2, I5));
  }

  private static Planted decrementedOnRedelivery() {
    String readBack = "id: read-back\n                        uri: sql:classpath:sql/";
    return Planted.drilled(
        "decremented-on-redelivery",
        "Strategy B takes units off MySQL's stock for rows that an earlier attempt inserted.",
        "messages-ten-times",
        "B",
        Map.of(),
        List.of(
            new Edit(ROUTES, readBack + "find-orders", readBack + "planted"),
            new Edit(
                "sql/planted.sql",
                null,
                """
                SELECT id, request_id, product_id, user_id, quantity, idem_key, status, reason, :#${variable.attempt} AS attempt, outbox_id
                FROM seckill_orders
                WHERE request_id IN (:#in:${variable.batch.requestIds})
                """)),
        List.of(),
        List.of(),
        Set.of(I3));
  }

  private static Planted noReadBack() {
    return Planted.drilled(
        "release-without-read-back",
        "Compensation releases without looking whether the order was written.",
        "dead-letters-before-confirm",
        "A",
        Map.of(),
        List.of(
            new Edit(ROUTES, READ_COMPENSATIONS + "find-orders", READ_COMPENSATIONS + "planted"),
            new Edit(
                "sql/planted.sql",
                null,
                """
                SELECT id, request_id, product_id, user_id, quantity, idem_key, 'FAIL_SYSTEM' AS status, reason, attempt, outbox_id
                FROM seckill_orders
                WHERE request_id IN (:#in:${variable.batch.requestIds})
                """)),
        List.of(),
        List.of(),
        Set.of(I7, I2));
  }

  private static Planted olderEpochInserted() {
    return Planted.drilled(
        "older-epoch-inserted",
        "The writer inserts a record of a book that was rebuilt since.",
        "relay-wakes-after-rebuild",
        "A",
        Map.of(),
        List.of(new Edit("sql/share-epochs.sql", "SELECT id, epoch\n", "SELECT id, 0 AS epoch\n")),
        List.of(),
        List.of(),
        Set.of(I2, I3));
  }

  private static Planted adoptedWithoutEpoch() {
    return Planted.drilled(
        "adopted-without-epoch",
        "A book that came with another Redis is sold from in the epoch it had.",
        "relay-wakes-in-older-copy",
        "A",
        Map.of(),
        List.of(
            new Edit(
                "sql/sale-raise-epoch.sql",
                "SET epoch = :#${variable.adoption.epoch} ",
                "SET epoch = epoch + 0 * :#${variable.adoption.epoch} "),
            new Edit(
                "lua/adopt.lua",
                "redis.call('HSET', KEYS[1], 'epoch', ARGV[2], 'run', run,",
                "redis.call('HSET', KEYS[1], 'run', run,")),
        List.of(),
        List.of(),
        Set.of(I2, I3));
  }

  private static Planted repeatableRead() {
    return Planted.drilled(
        "repeatable-read",
        "The writer runs REPEATABLE READ, selects early, and takes a row it cannot see for a lost"
            + " one.",
        "two-writers",
        "A",
        Map.of(),
        List.of(
            new Edit(
                ROUTES,
                """
                              - choice:
                                  id: read-epochs
                """,
                """
                              - to:
                                  id: next-transactions-repeatable
                                  uri: sql:classpath:sql/planted-isolation.sql
                              - to:
                                  id: select-early
                                  uri: sql:classpath:sql/planted-early.sql
                              - setBody:
                                  id: back-to-orders
                                  expression: {variable: {expression: batch}}
                              - choice:
                                  id: read-epochs
                """),
            new Edit(
                ROUTES,
                """
                                    - to:
                                        id: read-back-again
                                        uri: sql:classpath:sql/find-orders.sql
                """,
                """
                                    - setVariable:
                                        id: name-ids
                                        name: ids
                                        expression: {simple: {expression: "${variable.batch.requestIds}"}}
                                    - to:
                                        id: read-back-again
                                        uri: sql:classpath:sql/planted-read-back.sql
                """),
            new Edit(
                "sql/planted-isolation.sql",
                null,
                "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ\n"),
            new Edit("sql/planted-early.sql", null, "SELECT COUNT(*) FROM seckill_orders\n"),
            new Edit(
                "sql/planted-read-back.sql",
                null,
                """
                SELECT COALESCE(o.id, 0) AS id, j.request_id,
                  CAST(COALESCE(o.product_id, SUBSTRING_INDEX(j.request_id, '-', 1)) AS SIGNED) AS product_id,
                  CAST(COALESCE(o.user_id, SUBSTRING_INDEX(SUBSTRING_INDEX(j.request_id, '-', 2), '-', -1)) AS SIGNED) AS user_id,
                  CAST(COALESCE(o.quantity, 1) AS SIGNED) AS quantity, COALESCE(o.idem_key, '0:0:planted') AS idem_key, COALESCE(o.status, 'FAIL_DUPLICATE') AS status, o.reason,
                  COALESCE(o.attempt, '-') AS attempt, o.outbox_id
                FROM JSON_TABLE(
                  REPLACE(REPLACE(REPLACE(CAST(:#${variable.ids.toString} AS CHAR), '[', '["'), ']', '"]'), ', ', '","'),
                  '$[*]' COLUMNS (request_id VARCHAR(96) PATH '$')) j
                LEFT JOIN seckill_orders o ON o.request_id = CONVERT(j.request_id USING ascii) COLLATE ascii_bin
                """)),
        List.of(),
        List.of(),
        Set.of(I7, I2));
  }
}
