package io.seckill.drill.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
  private static final int PATIENCE_MILLIS = 30_000;

  private final List<String> received = new CopyOnWriteArrayList<>();
  private ServerSocket echo;
  private TcpProxy proxy;

  @BeforeEach
  void startEcho() throws IOException {
    echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve);
    thread.setDaemon(true);
    thread.start();
    proxy = new TcpProxy("127.0.0.1", echo.getLocalPort());
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    echo.close();
  }

  private void serve() {
    try {
      while (true) {
        Socket socket = echo.accept();
        new Thread(() -> answer(socket)).start();
      }
    } catch (IOException closed) {
      // the test is over
    }
  }

  private void answer(Socket socket) {
    try (socket;
        BufferedReader in = reader(socket)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        received.add(line);
        socket.getOutputStream().write((line + "!\n").getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException cut) {
      // the proxy has cut the connection
    }
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket("127.0.0.1", proxy.port());
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  private static void send(Socket socket, String line) throws IOException {
    socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static String ask(Socket socket, String line) throws IOException {
    send(socket, line);
    return reader(socket).readLine();
  }

  @Test
  void shouldPassBothWays() throws IOException {
    try (Socket socket = connect()) {
      assertThat(ask(socket, "hello")).isEqualTo("hello!");
      assertThat(ask(socket, "again")).isEqualTo("again!");
    }
  }

  @Test
  void shouldCutOpenConnectionsAndRefuseNewOnesUntilHealed() throws IOException {
    try (Socket socket = connect()) {
      assertThat(ask(socket, "hello")).isEqualTo("hello!");
      proxy.mode(TcpProxy.Mode.CUT);
      assertThatThrownBy(() -> required(ask(socket, "lost"))).isInstanceOf(Exception.class);
    }
    try (Socket refused = connect()) {
      assertThatThrownBy(() -> required(ask(refused, "lost"))).isInstanceOf(Exception.class);
    }
    proxy.heal();
    try (Socket socket = connect()) {
      assertThat(ask(socket, "back")).isEqualTo("back!");
    }
    assertThat(received).containsExactly("hello", "back");
  }

  @Test
  void shouldDeliverLateWhatWasStalled() throws IOException {
    try (Socket socket = connect()) {
      assertThat(ask(socket, "hello")).isEqualTo("hello!");
      proxy.mode(TcpProxy.Mode.STALL);
      send(socket, "late");
      socket.setSoTimeout(200);
      assertThatThrownBy(() -> reader(socket).readLine())
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(received).containsExactly("hello");
      socket.setSoTimeout(PATIENCE_MILLIS);
      proxy.heal();
      assertThat(reader(socket).readLine()).isEqualTo("late!");
    }
  }

  @Test
  void shouldLetRequestsPassWhileRepliesAreStalled() throws IOException {
    try (Socket socket = connect()) {
      proxy.mode(TcpProxy.Mode.STALL_REPLIES);
      send(socket, "heard");
      Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> received.contains("heard"));
      socket.setSoTimeout(200);
      assertThatThrownBy(() -> reader(socket).readLine())
          .isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void shouldCutBeforeACommandArrives() throws IOException {
    proxy.cutOn("COMMIT", TcpProxy.When.BEFORE_IT_ARRIVES, 1);
    try (Socket socket = connect()) {
      assertThat(ask(socket, "insert")).isEqualTo("insert!");
      assertThatThrownBy(() -> required(ask(socket, "commit"))).isInstanceOf(Exception.class);
    }
    assertThat(received).containsExactly("insert");
    assertThat(proxy.cutsLeft()).isZero();
    try (Socket socket = connect()) {
      assertThat(ask(socket, "commit")).isEqualTo("commit!");
    }
  }

  @Test
  void shouldLoseTheReplyOfACommandThatWasDone() throws IOException {
    proxy.cutOn("COMMIT", TcpProxy.When.AFTER_IT_IS_DONE, 1);
    try (Socket socket = connect()) {
      assertThatThrownBy(() -> required(ask(socket, "commit"))).isInstanceOf(Exception.class);
    }
    Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> received.contains("commit"));
  }

  /** The end of the stream is a cut connection too. */
  private static String required(String line) throws IOException {
    if (line == null) {
      throw new IOException("closed");
    }
    return line;
  }
}
