package io.seckill.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.embedded.Ports;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams to readers on sockets, of which some do not read. */
class EventStreamsTest {
  private static final int LARGE = 1 << 20;

  private final Vertx vertx = Vertx.vertx();
  private final int port = Ports.free();
  private final RequestDispatcher dispatcher = new RequestDispatcher(() -> true);
  private final AtomicInteger firsts = new AtomicInteger();
  private EventStreams streams;

  private final EventStreams.Events events =
      new EventStreams.Events() {
        @Override
        public Buffer first(long productId) {
          firsts.incrementAndGet();
          return Buffer.buffer("event: first\ndata: " + productId + "\n\n");
        }

        @Override
        public Buffer next(long productId) {
          return Buffer.buffer("data: " + "x".repeat(LARGE) + "\n\n");
        }
      };

  @BeforeEach
  void listen() {
    vertx
        .createHttpServer(
            new HttpServerOptions().setReadIdleTimeout(1).setHttp2ClearTextEnabled(false))
        .requestHandler(dispatcher)
        .listen(port, "127.0.0.1")
        .toCompletionStage()
        .toCompletableFuture()
        .join();
    streams = new EventStreams(dispatcher, vertx, "/events", 10, 500, () -> events);
  }

  @AfterEach
  void close() {
    streams.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private Socket open() throws Exception {
    Socket socket = new Socket("127.0.0.1", port);
    socket
        .getOutputStream()
        .write(
            "GET /events?productId=7 HTTP/1.1\r\nHost: localhost\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private void awaitOpen(int number) {
    await().atMost(30, TimeUnit.SECONDS).until(() -> streams.open() == number);
  }

  @Test
  void shouldCutAReaderThatDoesNotReadAndServeTheOthers() throws Exception {
    try (Socket stuck = open();
        Socket reading = open()) {
      awaitOpen(2);
      AtomicInteger read = new AtomicInteger();
      Thread reader = new Thread(() -> drain(reading, read));
      reader.setDaemon(true);
      reader.start();
      await("the cut")
          .atMost(60, TimeUnit.SECONDS)
          .until(
              () -> {
                streams.send(events);
                return streams.open() == 1;
              });
      assertThat(stuck.isConnected()).isTrue();
      int before = read.get();
      streams.send(events);
      await().atMost(30, TimeUnit.SECONDS).until(() -> read.get() > before);
    }
    awaitOpen(0);
  }

  private static void drain(Socket socket, AtomicInteger read) {
    byte[] bytes = new byte[64 * 1024];
    try (InputStream in = socket.getInputStream()) {
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        read.addAndGet(n);
      }
    } catch (java.io.IOException closed) {
      // at the end of the test
    }
  }

  @Test
  void shouldOutliveTheSilenceOfItsReader() throws Exception {
    try (Socket socket = open();
        Socket silent = new Socket("127.0.0.1", port)) {
      awaitOpen(1);
      // the server closes a connection that sends nothing for a second
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
      assertThat(streams.open()).isEqualTo(1);
      await().atMost(30, TimeUnit.SECONDS).until(() -> socket.getInputStream().available() > 0);
    }
    awaitOpen(0);
  }

  @Test
  void shouldBeginWithEverythingAndFreeWhatIsClosed() throws Exception {
    try (Socket socket = open()) {
      awaitOpen(1);
      byte[] bytes = new byte[4096];
      StringBuilder text = new StringBuilder();
      while (!text.toString().contains("data: 7")) {
        int n = socket.getInputStream().read(bytes);
        assertThat(n).isPositive();
        text.append(new String(bytes, 0, n, StandardCharsets.UTF_8));
      }
      assertThat(text.toString())
          .startsWith("HTTP/1.1 200 OK")
          .contains("content-type: text/event-stream", "event: first");
      assertThat(firsts.get()).isEqualTo(1);
    }
    awaitOpen(0);
  }
}
