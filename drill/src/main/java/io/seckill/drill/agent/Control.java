package io.seckill.drill.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Two files between a drill and the agent in the application's process: one holds the orders for
 * the agent, the other what it has done.
 */
public final class Control {
  /** System property that names the folder of both files. Without it the agent does nothing. */
  public static final String PROPERTY = "drill.control";

  private final Path orders;
  private final Path deeds;
  private final List<String> standing = new ArrayList<>();

  public Control(Path folder) {
    orders = folder.resolve("orders");
    deeds = folder.resolve("deeds");
  }

  /** The control of this process; empty in an application that is not drilled. */
  static Optional<Control> ofThisProcess() {
    return Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of).map(Control::new);
  }

  /**
   * A point at which the application stops.
   *
   * @param point {@code route-id/node-id:before} or {@code :after}
   * @param nth number of the exchange that stops there, counted from 1
   * @param stallMillis how long it stalls, unless released earlier; 0 to end the process at once,
   *     as if killed
   */
  public record Stop(String point, int nth, long stallMillis) {
    static Stop of(String order) {
      String[] words = order.split(" ");
      return new Stop(words[2], Integer.parseInt(words[3]), Long.parseLong(words[4]));
    }
  }

  /**
   * Stops the application once at a point, in addition to the points armed before. Releases
   * exchanges that stall at this point.
   */
  public synchronized void arm(Stop stop) throws IOException {
    standing.removeIf(order -> isAt(order, stop.point()));
    give("stop", stop.point() + " " + stop.nth() + " " + stop.stallMillis());
  }

  /** Releases exchanges that stall at a point, and disarms the point. */
  public synchronized void release(String point) throws IOException {
    standing.removeIf(order -> isAt(order, point));
    write();
  }

  private static boolean isAt(String order, String point) {
    return order.startsWith("stop ") && Stop.of(order).point().equals(point);
  }

  /** Shifts the clock of the application. */
  public synchronized void shiftClock(long millis) throws IOException {
    standing.removeIf(order -> order.startsWith("clock "));
    give("clock", Long.toString(millis));
  }

  /** Disarms all points and releases all exchanges. */
  public synchronized void disarm() throws IOException {
    standing.clear();
    Files.deleteIfExists(orders);
    Files.deleteIfExists(deeds);
  }

  /** Gives an order with a number, so that a repeated order is a new one. */
  private void give(String kind, String what) throws IOException {
    standing.add(kind + " " + System.nanoTime() + " " + what);
    write();
  }

  private void write() throws IOException {
    Files.createDirectories(orders.getParent());
    Path part = orders.resolveSibling("orders.part");
    Files.write(part, standing);
    Files.move(part, orders, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** How often the application has stopped at a point since the last {@link #disarm}. */
  public int reached(String point) throws IOException {
    return Collections.frequency(deeds(), point);
  }

  /** What the agent has done since the last {@link #disarm}, one line each. */
  List<String> deeds() throws IOException {
    try {
      return Files.readAllLines(deeds);
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }

  /** The current orders, one line each. */
  List<String> orders() throws IOException {
    try {
      return Files.readAllLines(orders);
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }

  void tell(String deed) throws IOException {
    Files.write(
        deeds,
        (deed + "\n").getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
