package io.seckill.drill.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

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
   * A point at which the application is to stop.
   *
   * @param point {@code route-id/node-id:before} or {@code :after}
   * @param nth how many exchanges reach the point until then, 1 for the first
   * @param stallMillis how long it stands still; 0: it ends at once, as if killed
   */
  public record Stop(String point, int nth, long stallMillis) {}

  /** Stops the application at these points, instead of those armed before. */
  public void arm(Stop... stops) throws IOException {
    write(
        Arrays.stream(stops)
            .map(stop -> "stop " + stop.point() + " " + stop.nth() + " " + stop.stallMillis())
            .collect(Collectors.joining("\n")));
  }

  /** Shifts the clock of the application. */
  public void shiftClock(long millis) throws IOException {
    write("clock " + millis);
  }

  /** Nothing more is to happen. */
  public void disarm() throws IOException {
    Files.deleteIfExists(orders);
    Files.deleteIfExists(deeds);
  }

  private void write(String lines) throws IOException {
    Files.createDirectories(orders.getParent());
    Path part = orders.resolveSibling("orders.part");
    // the time makes the same orders, given again, new ones
    Files.writeString(part, "given " + System.nanoTime() + "\n" + lines);
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

  /** The orders that stand, a line each. */
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
