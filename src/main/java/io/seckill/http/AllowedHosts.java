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
 * The host names that a server accepts. A web page can map its own name to 127.0.0.1 (DNS
 * rebinding) and so reach servers there, but the browser then sends that name as {@code Host}.
 */
final class AllowedHosts {
  private static final List<String> OF_LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");

  /** The accepted names; empty for any. */
  private final Set<String> names;

  private AllowedHosts(Set<String> names) {
    this.names = names;
  }

  /**
   * The names for a server that is bound to this address: on loopback its local names and the
   * configured ones; elsewhere the configured ones, or any name when none is configured.
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
   * The names for a server that programs such as probes call by address: checked on loopback only.
   */
  static AllowedHosts onLoopbackOnly(String bindHost, String configured) {
    return isLoopback(bindHost) ? of(bindHost, configured) : new AllowedHosts(Set.of());
  }

  /**
   * Whether only this machine reaches the address.
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

  /** Whether the request may go on; if not, answers 421. A request without Host may go on. */
  boolean admit(HttpServerRequest request) {
    String host = request.getHeader(HttpHeaders.HOST);
    if (names.isEmpty() || host == null || names.contains(name(host))) {
      return true;
    }
    ServerAnswers.sendAndClose(request, Problem.of(Refusals.ofServer(421)));
    return false;
  }

  /** A host without its port. */
  private static String name(String host) {
    int colon = host.lastIndexOf(':');
    String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    return name.toLowerCase(Locale.ROOT);
  }
}
