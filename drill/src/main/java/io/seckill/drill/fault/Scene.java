package io.seckill.drill.fault;

import io.seckill.drill.lab.Application;
import io.seckill.drill.lab.Lab;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** A sale that is going on, as a fault sees it. */
public interface Scene {
  Lab lab();

  /** The nodes; the first one takes the buyers' requests while others come and go. */
  List<Application> nodes();

  /** One more node, started; the drill stops it at the end of the run if it still runs. */
  Application addNode();

  /** Buyers send their requests only to nodes that were not taken out. */
  void takeOut(Application node);

  void putBack(Application node);

  Random random();

  long productId();

  /** For the reader of the verdict. */
  void tell(String what);

  /** Told too: the fault could not strike as it says. */
  void missed(String what);

  /**
   * Redis loses, or has just lost, what it acknowledged: what it alone knew until now is exempt. To
   * be told before and after it.
   */
  void redisLost(String how);

  /** As an operator would: rebuilds the book until the application says it is done. */
  void rebuild();

  /** Waits; the buyers go on. */
  void pause(long millis);

  /** Waits until a condition holds, at most as long as given; whether it does. */
  boolean await(long millis, Condition condition);

  /** What the run has put into a topic by now. */
  List<ConsumerRecord<byte[], byte[]>> records(String topic);

  /** Where the topics ended when the run began. */
  Map<TopicPartition, Long> begin(String topic);

  /** An administrator's request to the first node: its status. */
  int admin(String method, String path);

  /** May fail while something is broken: that counts as not yet. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws Exception;
  }
}
