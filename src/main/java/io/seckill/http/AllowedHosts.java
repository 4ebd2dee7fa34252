package io.seckill.http;

import io.seckill.answer.Problem;
import io.seckill.answer.Refusals;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The names by which a server may be asked for. A page of the web can give a name of its own the
 * address 127.0.0.1 (DNS rebinding) and so reach what listens there, but the browser sends that
 * name along as {@code Host}.
 */
final class AllowedHosts {
  private static final List<String> OF_LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");

  /** Empty: any. */
  private final Set<String> names;

  private AllowedHosts(Set<String> names) {
    this.names = names;
  }

  /**
   * Of a server that is bound to this address: on loopback its names there and those configured,
   * elsewhere those configured, or any where none is.
   *
   * @param configured {@code seckill.http.allowed-hosts}: names without port, separated by commas
   * @throws IllegalArgumentException when the bind address is unknown
   */
  static AllowedHosts of(String bindHost, String configured) {
    Set<String> names = new HashSet<>();
    Arrays.stream(configured.split(","))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    if (isLoopback(bindHost)) {
      names.addAll(OF_LOOPBACK);
      names.add(bindHost.toLowerCase(Locale.ROOT));
    }
    return new AllowedHosts(names);
  }

  /**
   * Of a server that only programs ask by its address, such as probes: checked on loopback only.
   */
  static AllowedHosts onLoopbackOnly(String bindHost, String configured) {
    return isLoopback(bindHost) ? of(bindHost, configured) : new AllowedHosts(Set.of());
  }

  /**
   * Whether nobody but this machine reaches the address.
   *
   * @throws IllegalArgumentException when it is unknown
   */
  static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("There is no address of " + host, e);
    }
  }

  /** Whether the request may go on; else it is answered 421. One without Host goes on. */
  boolean admit(HttpServerRequest request) {
    String host = request.getHeader(HttpHeaders.HOST);
    if (names.isEmpty() || host == null || names.contains(name(host))) {
      return true;
    }
    ServerAnswers.sendAndClose(request, Problem.of(Refusals.ofServer(421)));
    return false;
  }

  /** Without the port. */
  private static String name(String host) {
    int colon = host.lastIndexOf(':');
    String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    return name.toLowerCase(Locale.ROOT);
  }
}
