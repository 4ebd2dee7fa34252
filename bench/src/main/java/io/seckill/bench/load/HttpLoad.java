package io.seckill.bench.load;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Drives HTTP servers on this machine from one thread over keep-alive connections, one request in
 * flight on each.
 *
 * <p>Closed loop: every connection sends its next request when the last one is answered; this finds
 * the ceiling. Open loop: requests are due at random times with a given mean rate (Poisson). A
 * latency counts from the time at which the request was due, even if no connection was free. So a
 * server that stalls pays for every request that had to wait (no coordinated omission).
 */
public final class HttpLoad implements Closeable {
  private static final int POLL_CONNECTIONS = 16;
  private static final long POLL_INTERVAL_NANOS = 5_000_000;
  private static final long LONGEST_MICROS = 120_000_000;

  private final Settings settings;
  private final Selector selector;
  private final RequestTemplate.Writer requests;
  private final RequestTemplate.Writer polls;
  private final List<Connection> connections = new ArrayList<>();
  private final ArrayDeque<Connection> idle = new ArrayDeque<>();
  private final ArrayDeque<Connection> idlePollers = new ArrayDeque<>();
  private final ArrayDeque<Tracked> due = new ArrayDeque<>();
  private final Histogram latency = new Histogram(LONGEST_MICROS, 3);
  private final Histogram untilTerminal = new Histogram(LONGEST_MICROS, 3);
  private final long[] statuses = new long[600];

  private long sent;
  private long answered;
  private long failed;
  private int inFlight;
  private int tracking;
  private long end;

  /**
   * @param ports servers on 127.0.0.1; connections are spread over them
   * @param perSecond mean rate of the open loop; 0 for the closed loop
   * @param limit requests to send at most
   * @param trackEvery follow each n-th accepted purchase until its result is terminal; 0 for none
   */
  public record Settings(
      List<Integer> ports,
      RequestTemplate template,
      int connections,
      Duration duration,
      double perSecond,
      long limit,
      int trackEvery) {

    public static Settings closed(
        int port, RequestTemplate template, int connections, Duration duration) {
      return open(port, template, connections, duration, 0);
    }

    public static Settings open(
        int port, RequestTemplate template, int connections, Duration duration, double perSecond) {
      return new Settings(
          List.of(port), template, connections, duration, perSecond, Long.MAX_VALUE, 0);
    }

    public Settings over(List<Integer> several) {
      return new Settings(several, template, connections, duration, perSecond, limit, trackEvery);
    }

    public Settings limitedTo(long requests) {
      return new Settings(ports, template, connections, duration, perSecond, requests, trackEvery);
    }

    public Settings tracking(int every) {
      return new Settings(ports, template, connections, duration, perSecond, limit, every);
    }
  }

  private record Tracked(long n, long acceptedAt, long dueAt) {}

  private HttpLoad(Settings settings) throws IOException {
    this.settings = settings;
    this.selector = Selector.open();
    RequestTemplate template = settings.template();
    this.requests = template.writer();
    this.polls =
        RequestTemplate.result(
                template.firstUser(),
                template.users(),
                template.firstProduct(),
                template.products())
            .writer();
    for (int i = 0; i < settings.connections(); i++) {
      idle.add(connect(i, false));
    }
    for (int i = 0; settings.trackEvery() > 0 && i < POLL_CONNECTIONS; i++) {
      idlePollers.add(connect(i, true));
    }
  }

  /** Runs for the duration, then waits at most 30 s for answers still to come. */
  public static LoadResult run(Settings settings) throws IOException {
    try (HttpLoad load = new HttpLoad(settings)) {
      return load.run();
    }
  }

  private LoadResult run() throws IOException {
    boolean open = settings.perSecond() > 0;
    SplittableRandom random = new SplittableRandom(settings.template().firstUser());
    long start = System.nanoTime();
    end = start + settings.duration().toNanos();
    long giveUp = end + Duration.ofSeconds(30).toNanos();
    double dueAt = start;
    long now = start;
    while (true) {
      while (sent < settings.limit() && !idle.isEmpty() && (open ? dueAt <= now : true)) {
        long scheduled = open ? (long) dueAt : now;
        if (scheduled >= end) {
          break;
        }
        send(idle.poll(), sent++, scheduled);
        if (open) {
          dueAt += -Math.log(1 - random.nextDouble()) * 1e9 / settings.perSecond();
        }
      }
      while (!due.isEmpty() && due.peek().dueAt() <= now && !idlePollers.isEmpty()) {
        poll(idlePollers.poll(), due.poll());
      }
      boolean allSent = sent >= settings.limit() || (open ? dueAt : now) >= end;
      if (allSent && inFlight == 0 && tracking == 0 || now > giveUp) {
        break;
      }
      if (connections.stream().noneMatch(c -> c.channel.isOpen())) {
        throw new IOException("every connection to " + settings.ports() + " broke");
      }
      selector.select(this::ready, 1);
      now = System.nanoTime();
    }
    double seconds = (Math.min(now, end) - start) / 1e9;
    Map<Integer, Long> byStatus = new TreeMap<>();
    for (int status = 0; status < statuses.length; status++) {
      if (statuses[status] > 0) {
        byStatus.put(status, statuses[status]);
      }
    }
    return new LoadResult(
        open ? "open model" : "closed loop",
        seconds,
        answered,
        byStatus,
        failed,
        inFlight + failed,
        latency,
        untilTerminal,
        tracking);
  }

  private Connection connect(int index, boolean poller) throws IOException {
    SocketChannel channel = SocketChannel.open();
    int port = settings.ports().get(index % settings.ports().size());
    channel.connect(new InetSocketAddress("127.0.0.1", port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    Connection connection = new Connection(channel, poller);
    channel.register(selector, SelectionKey.OP_READ, connection);
    connections.add(connection);
    return connection;
  }

  private void send(Connection connection, long n, long scheduled) throws IOException {
    connection.n = n;
    connection.since = scheduled;
    connection.out.clear();
    requests.write(n, connection.out);
    inFlight++;
    connection.flush();
  }

  private void poll(Connection connection, Tracked tracked) throws IOException {
    connection.n = tracked.n();
    connection.since = tracked.acceptedAt();
    connection.out.clear();
    polls.write(tracked.n(), connection.out);
    connection.flush();
  }

  private void ready(SelectionKey key) {
    Connection connection = (Connection) key.attachment();
    try {
      if (connection.read()) {
        if (connection.poller) {
          polled(connection);
        } else {
          answered(connection);
        }
      }
    } catch (IOException broken) {
      key.cancel();
      connection.close();
      failed++;
      if (connection.poller) {
        tracking--;
      } else {
        inFlight--;
      }
    }
  }

  private void answered(Connection connection) throws IOException {
    long now = System.nanoTime();
    int status = connection.status;
    statuses[status]++;
    inFlight--;
    if (now <= end) {
      answered++;
    }
    latency.recordValue(Math.min(LONGEST_MICROS, Math.max(0, now - connection.since) / 1000));
    if (status == 202 && settings.trackEvery() > 0 && connection.n % settings.trackEvery() == 0) {
      tracking++;
      due.add(new Tracked(connection.n, now, now));
    }
    boolean closed = settings.perSecond() == 0;
    if (closed && now < end && sent < settings.limit()) {
      send(connection, sent++, now);
    } else {
      idle.add(connection);
    }
  }

  private void polled(Connection connection) {
    long now = System.nanoTime();
    idlePollers.add(connection);
    if (connection.status == 200 && connection.bodyContains("PENDING")) {
      due.add(new Tracked(connection.n, connection.since, now + POLL_INTERVAL_NANOS));
    } else if (connection.status == 200) {
      tracking--;
      untilTerminal.recordValue(Math.min(LONGEST_MICROS, (now - connection.since) / 1000));
    } else {
      due.add(new Tracked(connection.n, connection.since, now + POLL_INTERVAL_NANOS));
    }
  }

  @Override
  public void close() throws IOException {
    connections.forEach(Connection::close);
    selector.close();
  }

  /** One keep-alive connection and the answer it is reading. */
  private static final class Connection {
    private final SocketChannel channel;
    private final boolean poller;
    private final ByteBuffer out = ByteBuffer.allocateDirect(1024);
    private final ByteBuffer in = ByteBuffer.allocate(32 * 1024);
    private final HttpAnswer answer = new HttpAnswer();
    private long n;
    private long since;
    private int status;

    private Connection(SocketChannel channel, boolean poller) {
      this.channel = channel;
      this.poller = poller;
    }

    void flush() throws IOException {
      out.flip();
      while (out.hasRemaining()) {
        channel.write(out);
      }
      in.clear();
    }

    /** True when the whole answer has arrived. */
    boolean read() throws IOException {
      int read = channel.read(in);
      if (read < 0) {
        throw new IOException("closed by the server");
      }
      if (!answer.parse(in.array(), in.position())) {
        return false;
      }
      status = answer.status();
      return true;
    }

    boolean bodyContains(String text) {
      return answer.bodyContains(in.array(), text);
    }

    void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
