package io.seckill.drill.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A network between application and server that can be slow, cut, stalled in one or both
 * directions, or cut when a certain command passes. A stalled connection keeps its bytes and
 * delivers them late, as a real network that recovers.
 */
public final class TcpProxy implements AutoCloseable {
  private static final int BUFFER = 64 * 1024;
  private static final int CONNECT_MILLIS = 2_000;
  private static final long CHECK_NANOS = 2_000_000;

  /** The state of the network. */
  public enum Mode {
    PASS,
    /** New connections are refused, old ones are reset. */
    CUT,
    /** Nothing passes; connections stay open. */
    STALL,
    /** Requests pass, replies do not: the half-open connection. */
    STALL_REPLIES
  }

  /** When a connection is cut. */
  public enum When {
    /** The command never reaches the server. */
    BEFORE_IT_ARRIVES,
    /** The server has executed it; its reply is lost. */
    AFTER_IT_IS_DONE
  }

  private record Trap(String command, When when, AtomicInteger left) {
    /** Whether this chunk contains the command and a cut is still to come. */
    private boolean snaps(byte[] chunk, int length) {
      return left.get() > 0
          && new String(chunk, 0, length, StandardCharsets.ISO_8859_1)
              .toLowerCase(Locale.ROOT)
              .contains(command)
          && left.getAndDecrement() > 0;
    }
  }

  private volatile InetSocketAddress target;
  private final ServerSocket listener;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private volatile Mode mode = Mode.PASS;
  private volatile long delayMillis;
  private volatile Trap trap;
  private volatile boolean closed;

  /** Listens on a free port of 127.0.0.1. */
  public TcpProxy(String host, int port) {
    this(0, host, port);
  }

  /**
   * @param listenPort 0: any free one
   */
  public TcpProxy(int listenPort, String host, int port) {
    target = new InetSocketAddress(host, port);
    try {
      listener = new ServerSocket(listenPort, 512, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("No proxy for " + target, e);
    }
    start("proxy-accept-" + port, this::accept);
  }

  /** The port for clients. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Leads new connections to another server; open ones stay with theirs. */
  public void target(String host, int port) {
    target = new InetSocketAddress(host, port);
  }

  /** Changes the state of the network, also for open connections. */
  public void mode(Mode wanted) {
    mode = wanted;
    if (wanted == Mode.CUT) {
      reset();
    }
  }

  /** Delays all bytes, in each direction. */
  public void delay(long millis) {
    delayMillis = millis;
  }

  /**
   * Cuts the connection when a command passes from client to server.
   *
   * @param command text in the command; upper and lower case are equal
   * @param times how many connections to cut
   */
  public void cutOn(String command, When when, int times) {
    trap = new Trap(command.toLowerCase(Locale.ROOT), when, new AtomicInteger(times));
  }

  /** How many cuts of the last {@link #cutOn} are still to come. */
  public int cutsLeft() {
    Trap current = trap;
    return current == null ? 0 : Math.max(0, current.left().get());
  }

  /** Makes the network good again. */
  public void heal() {
    trap = null;
    delayMillis = 0;
    mode = Mode.PASS;
  }

  /** Resets every open connection. */
  public void reset() {
    connections.forEach(Connection::close);
  }

  /** Resets one of the open connections. */
  public void resetOne() {
    connections.stream().findAny().ifPresent(Connection::close);
  }

  @Override
  public void close() {
    closed = true;
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      reset();
    }
  }

  private void accept() {
    while (!closed) {
      try {
        Socket client = listener.accept();
        if (mode == Mode.CUT) {
          client.setSoLinger(true, 0);
          client.close();
        } else {
          start("proxy-connect", () -> connect(client));
        }
      } catch (IOException e) {
        if (!closed) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void connect(Socket client) {
    Socket server = new Socket();
    Connection connection = new Connection(client, server);
    connections.add(connection);
    try {
      server.connect(target, CONNECT_MILLIS);
      server.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
    } catch (IOException away) {
      connection.close();
      return;
    }
    start("proxy-replies", () -> connection.pump(server, client, false));
    connection.pump(client, server, true);
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private final class Connection {
    private final Socket client;
    private final Socket server;
    private volatile boolean cutOnReply;

    Connection(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void pump(Socket from, Socket to, boolean requests) {
      byte[] buffer = new byte[BUFFER];
      try {
        for (int n = from.getInputStream().read(buffer);
            n >= 0;
            n = from.getInputStream().read(buffer)) {
          if (!pass(Arrays.copyOf(buffer, n), to, requests)) {
            break;
          }
        }
      } catch (IOException gone) {
        // one side has closed; the other one is closed below
      } finally {
        close();
      }
    }

    /** Passes a chunk on; returns false when the connection must be cut. */
    private boolean pass(byte[] chunk, Socket to, boolean requests) throws IOException {
      if (!requests && cutOnReply) {
        return false;
      }
      if (delayMillis > 0) {
        LockSupport.parkNanos(delayMillis * 1_000_000);
      }
      while (mode == Mode.STALL || (mode == Mode.STALL_REPLIES && !requests)) {
        if (client.isClosed() || server.isClosed()) {
          return false;
        }
        LockSupport.parkNanos(CHECK_NANOS);
      }
      Trap current = trap;
      if (requests && current != null && current.snaps(chunk, chunk.length)) {
        if (current.when() == When.BEFORE_IT_ARRIVES) {
          return false;
        }
        cutOnReply = true;
      }
      to.getOutputStream().write(chunk);
      return true;
    }

    void close() {
      connections.remove(this);
      closeHard(client);
      closeHard(server);
    }

    private void closeHard(Socket socket) {
      try {
        socket.setSoLinger(true, 0);
        socket.close();
      } catch (IOException closedAlready) {
        // both directions close both sockets
      }
    }
  }
}
