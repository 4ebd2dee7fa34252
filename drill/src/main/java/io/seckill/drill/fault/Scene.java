package io.seckill.drill.fault;

import io.seckill.drill.lab.Application;
import io.seckill.drill.lab.Lab;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The running sale, as a fault sees it. */
public interface Scene {
  Lab lab();

  /** The nodes; the first one takes the requests of buyers while others come and go. */
  List<Application> nodes();

  /** Starts one more node. The drill stops it at the end of the run. */
  Application addNode();

  /** Takes a node out: buyers send it no requests. */
  void takeOut(Application node);

  void putBack(Application node);

  Random random();

  long productId();

  /** Notes a step for the reader of the verdict. */
  void tell(String what);

  /** Notes that the fault could not strike as described. */
  void missed(String what);

  /**
   * Notes that Redis loses data now. Reservations that only Redis knew are exempt. Call it before
   * and after the loss.
   */
  void redisLost(String how);

  /** Rebuilds the book as an operator does, until the application answers that it is done. */
  void rebuild();

  /** Ends the sale as an operator does, until the application answers that it is done. */
  void end();

  /** Settles the sale, and rebuilds its book where the application asks for it. */
  void settle();

  /** Adds units to the sale, once, until the application answers that it is done or refused. */
  void restock(long units);

  /**
   * Lets operators settle, rebuild, restock, pause and resume through all nodes at once, until the
   * other one is done and the time is over. Then each restock is done or refused, and the sale is
   * resumed, unless it has ended.
   */
  void operators(long millis, Fault.Strike meanwhile) throws Exception;

  /** Waits while the buyers go on. */
  void pause(long millis);

  /** Waits until a condition holds, at most for the given time; returns whether it holds. */
  boolean await(long millis, Condition condition);

  /** The records that this run has put into a topic. */
  List<ConsumerRecord<byte[], byte[]>> records(String topic);

  /** The ends of a topic's partitions when the run began. */
  Map<TopicPartition, Long> begin(String topic);

  /** Sends an administrator's request to the first node; returns the status. */
  int admin(String method, String path);

  /** A condition; an exception counts as false, because something may be broken. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws Exception;
  }
}
