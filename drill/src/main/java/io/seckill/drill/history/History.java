package io.seckill.drill.history;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The events of one run, in the order of their recording. A file has one JSON object a line. */
public record History(List<Event> events) {
  private static final ObjectMapper JSON =
      JsonMapper.builder().visibility(PropertyAccessor.IS_GETTER, Visibility.NONE).build();

  public History {
    events = List.copyOf(events);
  }

  public <T extends Event> Stream<T> all(Class<T> type) {
    return events.stream().filter(type::isInstance).map(type::cast);
  }

  /** The run's first line. */
  public Event.Begin begin() {
    return all(Event.Begin.class)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("The history has no begin line"));
  }

  public History only(Predicate<Event> wanted) {
    return new History(events.stream().filter(wanted).toList());
  }

  public void write(Path file) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (Event event : events) {
        out.write(line(event));
        out.newLine();
      }
    }
  }

  /**
   * @throws IOException when the file cannot be read or a line is not an event
   */
  public static History read(Path file) throws IOException {
    List<Event> events = new ArrayList<>();
    try (BufferedReader in = Files.newBufferedReader(file)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (!line.isBlank()) {
          events.add(JSON.readValue(line, Event.class));
        }
      }
    }
    return new History(events);
  }

  public static String line(Event event) {
    try {
      return JSON.writeValueAsString(event);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
