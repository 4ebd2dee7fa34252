package io.seckill.drill.fault;

import io.lettuce.core.ScriptOutputType;
import io.seckill.drill.agent.Control;
import io.seckill.drill.lab.Application;
import io.seckill.drill.lab.Stores;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Faults of operators at work, and of what they find where Redis and MySQL differ. */
final class OperatorFaults {
  private static final long AT_WORK = 2_000;
  private static final long PATIENCE = 10_000;

  private static final String FORGET =
      """
      local all = redis.call('HGETALL', KEYS[2])
      for i = 1, #all, 2 do
        local units, status = string.match(all[i + 1], '^[^|]*|[^|]*|([^|]*)|([^|]*)|')
        if status == 'SUCCESS' then
          redis.call('HDEL', KEYS[2], all[i])
          redis.call('HINCRBY', KEYS[1], 'sold', '-' .. units)
          redis.call('HINCRBY', KEYS[1], 'writtenOff', units)
          redis.call('HINCRBY', KEYS[1], 'moves', '1')
          return 1
        end
      end
      return 0
      """;

  private static final String COMPARING = "settlement-compare/look-up-buyers:before";

  private static final String MAKE_PHANTOMS =
      """
      if redis.call('HGET', KEYS[1], 'state') == 'ENDED' then return 0 end
      local sold = tonumber(redis.call('HGET', KEYS[1], 'sold'))
      local units = string.format('%.0f', math.min(sold, 40))
      redis.call('HINCRBY', KEYS[1], 'sold', '-' .. units)
      redis.call('HINCRBY', KEYS[1], 'available', units)
      redis.call('HINCRBY', KEYS[1], 'moves', '1')
      return tonumber(units)
      """;

  private OperatorFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.anywhere(
                "operators-at-once",
                "Operators settle, rebuild, restock, pause and resume at once through two nodes.",
                scene -> scene.operators(AT_WORK, meanwhile -> {}))
            .with(Setup.TWO_NODES),
        Fault.ownServers(
                "operators-at-once-redis-kill",
                "Operators are at work when Redis is killed and comes back.",
                scene ->
                    scene.operators(
                        AT_WORK,
                        meanwhile -> {
                          meanwhile.pause(300);
                          Faults.killAndStart(meanwhile, meanwhile.lab().redis(), 500);
                        }))
            .with(Setup.TWO_NODES),
        Fault.ownServers(
                "operators-at-once-mysql-kill",
                "Operators are at work when MySQL is killed and comes back.",
                scene ->
                    scene.operators(
                        AT_WORK,
                        meanwhile -> {
                          meanwhile.pause(300);
                          Faults.killAndStart(meanwhile, meanwhile.lab().mysql(), 500);
                        }))
            .with(Setup.TWO_NODES),
        Fault.anywhere(
                "operators-at-once-node-kill",
                "Operators are at work when one of two nodes is killed and comes back.",
                scene ->
                    scene.operators(
                        AT_WORK,
                        meanwhile -> {
                          meanwhile.pause(meanwhile.random().nextInt(600));
                          Application node = meanwhile.nodes().get(1);
                          meanwhile.takeOut(node);
                          Faults.killAndStart(meanwhile, node.machine(), 0);
                          meanwhile.putBack(node);
                        }))
            .with(Setup.TWO_NODES),
        Fault.anywhere(
                "settle-and-rebuild-at-once",
                "A rebuild begins while a settlement compares the book with the orders.",
                OperatorFaults::settleAndRebuild)
            .with(Setup.TWO_NODES),
        Fault.ownServers(
            "settled-sale-in-older-copy",
            "A sale is ended and settled; then Redis comes back from a copy in which it is on.",
            scene -> {
              Path copy = LossFaults.copy(scene);
              scene.pause(300);
              scene.end();
              scene.settle();
              LossFaults.restore(scene, copy);
              scene.pause(2_000);
            }),
        Fault.anywhere(
            "redis-forgets-an-order-and-ends",
            "The book forgets an order that MySQL has; the sale ends and is settled at once.",
            OperatorFaults::forgetAndEnd),
        Fault.anywhere(
                "redis-holds-more",
                "The book offers units that MySQL has sold; an operator rebuilds and restocks.",
                OperatorFaults::holdsMore)
            .with(Setup.with("seckill.strategy", "B")));
  }

  private static void settleAndRebuild(Scene scene) throws Exception {
    scene.end();
    Control control = scene.nodes().get(0).control();
    control.disarm();
    control.arm(new Control.Stop(COMPARING, 1, PATIENCE));
    Thread settling = new Thread(scene::settle, "settling");
    settling.start();
    if (scene.await(PATIENCE, () -> control.reached(COMPARING) > 0)) {
      scene.tell("a settlement stands still while it compares");
    } else {
      scene.missed("no settlement compared through the first node");
    }
    Thread rebuilding = new Thread(scene::rebuild, "rebuilding");
    rebuilding.start();
    scene.pause(300);
    control.disarm();
    scene.tell("the settlement goes on");
    settling.join();
    rebuilding.join();
  }

  /** As where the buyer's field was deleted by hand, and the counters were made to fit. */
  private static void forgetAndEnd(Scene scene) {
    scene.pause(300);
    scene.redisLost("an order leaves the book");
    boolean forgotten =
        scene.await(
            PATIENCE,
            () ->
                scene
                        .lab()
                        .stores()
                        .redis()
                        .<Long>eval(FORGET, ScriptOutputType.INTEGER, keys(scene))
                    == 1);
    scene.redisLost("it is gone");
    if (!forgotten) {
      scene.missed("there was no order");
    }
    scene.end();
    scene.settle();
  }

  private static void holdsMore(Scene scene) {
    scene.pause(1_000 + scene.random().nextInt(1_000));
    scene.redisLost("sold units come back on sale");
    long units =
        scene
            .lab()
            .stores()
            .redis()
            .<Long>eval(MAKE_PHANTOMS, ScriptOutputType.INTEGER, keys(scene));
    if (units == 0) {
      scene.missed("the sale had ended, or nothing was sold");
    }
    scene.redisLost("Redis holds " + units + " units more than MySQL");
    scene.pause(2_500);
    scene.rebuild();
    scene.restock(20);
    scene.pause(500);
  }

  private static String[] keys(Scene scene) {
    return Stream.of("sale", "users", "outbox", "pending")
        .map(part -> Stores.key(scene.productId(), part))
        .toArray(String[]::new);
  }
}
