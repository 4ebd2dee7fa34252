package io.seckill.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes connections on to a server of this machine and keeps what clients sent. */
public final class WireTap implements AutoCloseable {
  private static final int BUFFER = 16 * 1024;

  private final int target;
  private final ServerSocket listener;
  private final List<ByteArrayOutputStream> sent = new CopyOnWriteArrayList<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  /** Listens on a free port of loopback. */
  public WireTap(int target) {
    this.target = target;
    try {
      listener = new ServerSocket(0, 512, InetAddress.getByName("127.0.0.1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** What each connection sent, byte for byte as ISO 8859-1, in the order of the connections. */
  public List<String> sent() {
    return sent.stream().map(bytes -> bytes.toString(StandardCharsets.ISO_8859_1)).toList();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listener.accept();
      Socket server = new Socket(InetAddress.getByName("127.0.0.1"), target);
      sockets.addAll(List.of(client, server));
      ByteArrayOutputStream record = new ByteArrayOutputStream();
      sent.add(record);
      start(() -> pass(client, server, record));
      start(() -> pass(server, client, OutputStream.nullOutputStream()));
    }
  }

  private static void pass(Socket from, Socket to, OutputStream record) throws IOException {
    byte[] buffer = new byte[BUFFER];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      int length = in.read(buffer);
      while (length >= 0) {
        record.write(buffer, 0, length);
        to.getOutputStream().write(buffer, 0, length);
        length = in.read(buffer);
      }
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException ended) {
                // one of the two sides has closed the connection, which ends the work
              }
            },
            "wire-tap");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
