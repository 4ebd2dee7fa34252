package io.seckill.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.http.RawHttp.Answer;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole application under all attacks at once, over raw connections. */
class AttacksIT {
  private static final long VICTIM = 666;
  private static final int BUYERS = 400;
  private static final int SLOW = 300;
  // both ends are in this process, which may open 20,000 files where the tests run
  private static final int IDLE = 4_000;

  private static TestApplication application;
  private static int port;

  @BeforeAll
  static void start() {
    application = TestApplication.start(Map.of("seckill.throttle.user-rate", "0")).awaitReady();
    port = URI.create(application.baseUrl()).getPort();
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /admin/sales?Authorization=Bearer%20test-admin-token",
        "GET /admin/sales?authorization=Bearer%20test-admin-token&Authorization=Bearer%20test-admin-token",
        "POST /admin/sales/1/pause?Authorization=Bearer%20test-admin-token",
        "POST /admin/sales/1/rebuild?Authorization=Bearer%20test-admin-token",
        "GET /admin/dead-letters?Authorization=Bearer%20test-admin-token"
      })
  void shouldTakeNoTokenFromAQuery(String line) throws Exception {
    assertUnauthenticated(line + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
  }

  @Test
  void shouldTakeNoTokenFromAForm() throws Exception {
    String form = "Authorization=Bearer%20test-admin-token";
    assertUnauthenticated(post("application/x-www-form-urlencoded", form));
    String part =
        "--b\r\nContent-Disposition: form-data; name=\"Authorization\"\r\n\r\n"
            + "Bearer test-admin-token\r\n--b--\r\n";
    assertUnauthenticated(post("multipart/form-data; boundary=b", part));
    String file =
        "--b\r\nContent-Disposition: form-data; name=\"Authorization\"; filename=\"f\"\r\n\r\n"
            + "Bearer test-admin-token\r\n--b--\r\n";
    assertUnauthenticated(post("multipart/form-data; boundary=b", file));
  }

  private static String post(String type, String body) {
    return "POST /admin/sales/1/pause HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: "
        + type
        + "\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  private static void assertUnauthenticated(String request) throws IOException {
    List<Answer> answers = RawHttp.answers(port, request);
    assertThat(answers).extracting(Answer::status).containsExactly(401);
    assertThat(answers.get(0).body()).contains("\"code\":\"UNAUTHENTICATED\"");
  }

  @Test
  void shouldServeBuyersUnderAllAttacksAtOnce() throws Exception {
    Shop shop = application.shop();
    long product = new Sales(application).open(BUYERS);
    AtomicLong attacks = new AtomicLong();
    List<AutoCloseable> connections = new ArrayList<>();
    ExecutorService attackers = Executors.newCachedThreadPool();
    List<Future<?>> running = new ArrayList<>();
    boolean[] over = new boolean[1];
    try {
      for (int i = 0; i < IDLE; i++) {
        connections.add(connect());
      }
      List<SocketChannel> slow = new ArrayList<>();
      for (int i = 0; i < SLOW; i++) {
        slow.add(connect());
      }
      connections.addAll(slow);
      List<SocketChannel> deaf = List.of(connect(), connect());
      connections.addAll(deaf);
      List<Callable<?>> kinds =
          List.of(
              () -> drip(slow),
              () -> flood(deaf),
              () -> smuggle(product),
              () -> RawHttp.answers(port, "GET /%61dmin/sales HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
              () -> RawHttp.answers(port, "GET /% HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
              () -> RawHttp.answers(port, post("multipart/form-data; boundary=", "")),
              () -> RawHttp.answers(port, post("multipart/form-data; boundary=b", "--b")));
      for (Callable<?> kind : kinds) {
        running.add(
            attackers.submit(
                () -> {
                  while (!over[0] && !Thread.currentThread().isInterrupted()) {
                    kind.call();
                    attacks.incrementAndGet();
                  }
                  return null;
                }));
      }
      await().atMost(60, TimeUnit.SECONDS).until(() -> attacks.get() >= 10L * kinds.size());

      List<Reply> replies =
          IntStream.rangeClosed(1, BUYERS)
              .mapToObj(user -> shop.buy(product, 1_000 + user, "k"))
              .toList();

      assertThat(replies).extracting(Reply::status).containsOnly(202);
      assertThat(running).as("attackers who met no error").noneMatch(Future::isDone);
      assertThat(shop.awaitEnd(1_001, replies.get(0).requestId())).isEqualTo("SUCCESS");
    } finally {
      over[0] = true;
      attackers.shutdownNow();
      assertThat(attackers.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
      for (AutoCloseable connection : connections) {
        connection.close();
      }
    }
    // nobody has bought in the name of another
    assertThat(shop.buy(product, VICTIM, "own").code()).isEqualTo("FAIL_SOLD_OUT");
  }

  private static SocketChannel connect() throws IOException {
    SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
    channel.configureBlocking(false);
    return channel;
  }

  /** One more byte of a head on each connection, of which the server closes those that are late. */
  private static Void drip(List<SocketChannel> slow) throws Exception {
    for (SocketChannel channel : slow) {
      if (channel.isOpen()) {
        try {
          channel.write(ByteBuffer.wrap(new byte[] {'G'}));
        } catch (IOException e) {
          channel.close();
        }
      }
    }
    Thread.sleep(100);
    return null;
  }

  /** Many requests whose answers are never read. */
  private static Void flood(List<SocketChannel> deaf) throws Exception {
    byte[] requests =
        "GET /seckill/1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            .repeat(100)
            .getBytes(StandardCharsets.US_ASCII);
    for (SocketChannel channel : deaf) {
      channel.write(ByteBuffer.wrap(requests));
    }
    Thread.sleep(10);
    return null;
  }

  /** A purchase in another's name, hidden in requests that can be read in two ways. */
  private static Void smuggle(long product) throws IOException {
    String hidden =
        "POST /seckill/"
            + product
            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nX-User-Id: "
            + VICTIM
            + "\r\n\r\n";
    String head = "POST /seckill/1 HTTP/1.1\r\nX-User-Id: 5\r\n";
    List<String> carriers =
        List.of(
            head
                + "Host: 127.0.0.1\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            head + "Host: 127.0.0.1\r\nTransfer-Encoding: xchunked\r\n\r\n",
            head + "Host: 127.0.0.1\r\nHost: y\r\n\r\n",
            head + "Host: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a=\"\r\nX\r\n0\r\n\r\n");
    for (String carrier : carriers) {
      List<Answer> answers = RawHttp.answers(port, carrier + hidden);
      assertThat(answers).extracting(Answer::status).containsExactly(400);
    }
    return null;
  }
}
