package io.seckill.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Reads a stream of server-sent events, on a thread of its own. */
final class ServerSentEvents {
  /**
   * An event, or a comment, whose name is empty.
   *
   * @param id null for none
   */
  record Event(String id, String name, String data) {}

  private ServerSentEvents() {}

  /** Asks for a stream, whose body the caller reads and closes. */
  static HttpResponse<InputStream> open(HttpRequest request) {
    try {
      return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  /**
   * Reads until either side closes.
   *
   * @param whenEnded runs at the end
   */
  static void read(InputStream stream, Consumer<Event> events, Runnable whenEnded) {
    Thread thread =
        new Thread(
            () -> {
              try (BufferedReader lines =
                  new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                read(lines, events);
              } catch (IOException closed) {
                // by either side
              } finally {
                whenEnded.run();
              }
            },
            "event-reader");
    thread.setDaemon(true);
    thread.start();
  }

  private static void read(BufferedReader lines, Consumer<Event> events) throws IOException {
    String id = null;
    String name = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("id: ")) {
        id = line.substring(4);
      } else if (line.startsWith("event: ")) {
        name = line.substring(7);
      } else if (line.startsWith("data: ")) {
        events.accept(new Event(id, name, line.substring(6)));
      } else if (line.startsWith(":")) {
        events.accept(new Event(null, "", line.substring(1).strip()));
      }
    }
  }
}
