package io.seckill.drill.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * Two files by which a drill talks to the agent in the application's process: what the agent is to
 * do, and what it has done.
 */
public final class Control {
  /** System property that names the folder of both files. Without it the agent does nothing. */
  public static final String PROPERTY = "drill.control";

  private final Path orders;
  private final Path deeds;

  public Control(Path folder) {
    orders = folder.resolve("orders");
    deeds = folder.resolve("deeds");
  }

  /** Of this process, empty in an application that is not drilled. */
  static Optional<Control> ofThisProcess() {
    return Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of).map(Control::new);
  }

  /**
   * Stops the application at a point.
   *
   * @param point {@code route-id/node-id:before} or {@code :after}
   * @param nth how many exchanges reach the point until then, 1 for the first
   * @param stallMillis how long it stands still; 0: it ends at once, as if killed
   */
  public void arm(String point, int nth, long stallMillis) throws IOException {
    write(point + " " + nth + " " + stallMillis + " " + System.nanoTime());
  }

  /** Shifts the clock of the application. */
  public void shiftClock(long millis) throws IOException {
    write("clock " + millis + " 0 " + System.nanoTime());
  }

  /** Nothing more is to happen. */
  public void disarm() throws IOException {
    Files.deleteIfExists(orders);
    Files.deleteIfExists(deeds);
  }

  private void write(String line) throws IOException {
    Files.createDirectories(orders.getParent());
    Path part = orders.resolveSibling("orders.part");
    Files.writeString(part, line);
    Files.move(part, orders, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** What the agent has done since the last {@link #disarm}, a line a deed. */
  public List<String> deeds() throws IOException {
    try {
      return Files.readAllLines(deeds);
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }

  /** The order that stands, empty when there is none. */
  Optional<String> order() throws IOException {
    try {
      return Optional.of(Files.readString(orders));
    } catch (NoSuchFileException none) {
      return Optional.empty();
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
