package io.seckill.http;

import io.netty.util.NetUtil;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads where a request comes from, as a number: the IPv4 address, or the /64 prefix of the IPv6
 * address, because one subscriber has at least a whole /64 (RFC 6177).
 *
 * <p>Proxies append the address they saw to {@code X-Forwarded-For}, or to {@code Forwarded} (RFC
 * 7239). Only the rightmost entries count, one for each proxy of your own; a client can forge the
 * rest. Where the header has fewer entries, or the entry that counts is not an address, the
 * connection's address counts.
 */
public final class ClientAddress {
  private static final String X_FORWARDED_FOR = "X-Forwarded-For";
  private static final String FORWARDED = "Forwarded";

  private static final int IPV4_LENGTH = 4;
  private static final int PREFIX_LENGTH = 8;
  private static final long IPV4 = 1L << 32;

  private final int proxies;
  private final String header;

  /**
   * @param proxies number of your own proxies in front of this node; 0 ignores the header
   * @param header the header they append to, {@code X-Forwarded-For} or {@code Forwarded}
   * @throws IllegalArgumentException for another header, or a negative number of proxies
   */
  public ClientAddress(int proxies, String header) {
    if (proxies < 0) {
      throw new IllegalArgumentException("seckill.throttle.trusted-proxies must be 0 or more");
    }
    if (!header.equalsIgnoreCase(X_FORWARDED_FOR) && !header.equalsIgnoreCase(FORWARDED)) {
      throw new IllegalArgumentException(
          "seckill.throttle.forwarded-header must be X-Forwarded-For or Forwarded, not '"
              + header
              + "'");
    }
    this.proxies = proxies;
    this.header = header;
  }

  /** The address of the client that sent this request. */
  public long of(Request request) {
    return of(proxies > 0 ? request.headers(header) : List.of(), request.remoteAddress());
  }

  /** The address of the client that is sending this request. */
  long of(HttpServerRequest request) {
    return of(
        proxies > 0 ? request.headers().getAll(header) : List.of(),
        request.remoteAddress().hostAddress());
  }

  /** The whole IP address of the client that is sending this request, as text. */
  String text(HttpServerRequest request) {
    String remote = request.remoteAddress().hostAddress();
    if (proxies == 0) {
      return remote;
    }
    byte[] address = address(request.headers().getAll(header), remote);
    return address == null ? remote : NetUtil.bytesToIpAddress(address);
  }

  private long of(List<String> lines, String remote) {
    return number(address(lines, remote));
  }

  private byte[] address(List<String> lines, String remote) {
    if (proxies > 0) {
      List<String> elements = elements(lines);
      if (elements.size() >= proxies) {
        byte[] address = bytes(node(elements.get(elements.size() - proxies)));
        if (address != null) {
          return address;
        }
      }
    }
    return bytes(remote);
  }

  /** The elements of all the header's lines. A comma within quotes is part of an element. */
  private static List<String> elements(List<String> lines) {
    List<String> elements = new ArrayList<>();
    for (String line : lines) {
      boolean quoted = false;
      int start = 0;
      for (int i = 0; i < line.length(); i++) {
        char c = line.charAt(i);
        if (c == '"') {
          quoted = !quoted;
        } else if (c == '\\' && quoted) {
          i++;
        } else if (c == ',' && !quoted) {
          elements.add(line.substring(start, i).strip());
          start = i + 1;
        }
      }
      elements.add(line.substring(start).strip());
    }
    return elements;
  }

  /** The node of an element: the whole element, or its {@code for} parameter. */
  private String node(String element) {
    if (header.equalsIgnoreCase(X_FORWARDED_FOR)) {
      return element;
    }
    for (String pair : element.split(";")) {
      String stripped = pair.strip();
      if (stripped.regionMatches(true, 0, "for=", 0, 4)) {
        String value = stripped.substring(4);
        return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
            ? value.substring(1, value.length() - 1)
            : value;
      }
    }
    return "";
  }

  /**
   * The address of a node without its port; null when the node is not an address, such as {@code
   * unknown}.
   */
  private static byte[] bytes(String node) {
    if (node == null) {
      return null;
    }
    String address = node;
    if (node.startsWith("[")) {
      int end = node.indexOf(']');
      address = end < 0 ? "" : node.substring(1, end);
    } else if (node.indexOf(':') == node.lastIndexOf(':') && node.indexOf(':') > 0) {
      address = node.substring(0, node.indexOf(':'));
    }
    return NetUtil.createByteArrayFromIpAddressString(address);
  }

  private static long number(byte[] address) {
    if (address == null) {
      return 0;
    }
    boolean mapped = address.length > IPV4_LENGTH && isMapped(address);
    int start = mapped ? address.length - IPV4_LENGTH : 0;
    int length = mapped || address.length == IPV4_LENGTH ? IPV4_LENGTH : PREFIX_LENGTH;
    long number = 0;
    for (int i = start; i < start + length; i++) {
      number = number << 8 | address[i] & 0xFF;
    }
    return length == IPV4_LENGTH ? IPV4 | number : number;
  }

  /**
   * Whether this is an IPv4 address in IPv6 form, {@code ::ffff:192.0.2.1}, as dual-stack sockets
   * show it.
   */
  private static boolean isMapped(byte[] address) {
    for (int i = 0; i < 10; i++) {
      if (address[i] != 0) {
        return false;
      }
    }
    return address[10] == -1 && address[11] == -1;
  }
}
