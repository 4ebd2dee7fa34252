package io.seckill.webhook;

import java.net.InetAddress;
import java.net.URI;
import java.util.List;

/**
 * Where a delivery may go.
 *
 * @param addresses of the host, all judged: connect to these, not to the name
 */
record Target(URI uri, List<InetAddress> addresses) {
  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  boolean isTls() {
    return "https".equalsIgnoreCase(uri.getScheme());
  }

  int port() {
    return uri.getPort() >= 0 ? uri.getPort() : isTls() ? HTTPS : HTTP;
  }

  /** The name or address, an IPv6 address without brackets. */
  String host() {
    return uri.getHost().replaceAll("[\\[\\]]", "");
  }

  /** Path and query, as the request line has them. */
  String path() {
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
  }
}
