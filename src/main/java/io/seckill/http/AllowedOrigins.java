package io.seckill.http;

import io.seckill.StartRefusedException;
import io.seckill.answer.Problem;
import io.seckill.answer.Refusals;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.URI;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The web pages that may call Jolokia, by their origin (scheme, host and port). Browsers are told
 * of the answer by CORS headers (the Fetch standard); a request with neither {@code Origin} nor
 * {@code Referer} comes from no page and may go on.
 */
final class AllowedOrigins {
  private static final Pattern ENTRY =
      Pattern.compile("[a-z][a-z0-9+.-]*://(\\[[0-9a-f:.]+]|[^/?#*:\\[\\]\\s]+)(:(\\d+|\\*))?");
  private static final String ANY_PORT = ":*";
  private static final Pattern PORT = Pattern.compile(":\\d+$");
  private static final String PREFLIGHT_SECONDS = "600";

  private final Set<String> exact = new HashSet<>();
  private final Set<String> withAnyPort = new HashSet<>();

  /**
   * Reads the list.
   *
   * @param configured {@code seckill.hawtio.origins}: origins separated by commas; {@code :*} for
   *     the port means any
   * @throws StartRefusedException when one is no origin
   */
  AllowedOrigins(String configured) {
    for (String entry : configured.toLowerCase(Locale.ROOT).split(",")) {
      String origin = entry.strip();
      if (origin.isEmpty()) {
        continue;
      }
      if (!ENTRY.matcher(origin).matches()) {
        throw new StartRefusedException(
            "seckill.hawtio.origins: '"
                + origin
                + "' is no origin. Write it as http://host:port, or http://host:* for any port.");
      }
      if (origin.endsWith(ANY_PORT)) {
        withAnyPort.add(origin.substring(0, origin.length() - ANY_PORT.length()));
      } else {
        exact.add(origin);
      }
    }
  }

  /**
   * Whether the request may go on; else a preflight is answered, or the request refused with 403.
   */
  boolean admit(HttpServerRequest request) {
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    String page = origin == null ? originOf(request.getHeader(HttpHeaders.REFERER)) : origin;
    if (page != null && !allows(page)) {
      ServerAnswers.send(request, Problem.of(Refusals.ofServer(403)));
      return false;
    }
    HttpServerResponse response = request.response();
    if (origin != null) {
      response
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_CREDENTIALS, "true")
          .putHeader(HttpHeaders.VARY, "Origin");
    }
    if (request.method() == HttpMethod.OPTIONS) {
      answerOptions(request, origin != null);
      return false;
    }
    return true;
  }

  private static void answerOptions(HttpServerRequest request, boolean preflight) {
    HttpServerResponse response = request.response().setStatusCode(204);
    if (preflight) {
      response
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, "GET, POST")
          .putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS);
      String headers = request.getHeader(HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS);
      if (headers != null) {
        response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, headers);
      }
    } else {
      response.putHeader(HttpHeaders.ALLOW, "GET, HEAD, OPTIONS, POST");
    }
    response.end();
  }

  /** Whether a page of this origin may call. */
  boolean allows(String origin) {
    String name = origin.toLowerCase(Locale.ROOT);
    return exact.contains(name) || withAnyPort.contains(PORT.matcher(name).replaceFirst(""));
  }

  /** The origin of a page; what cannot be read is the origin of none. */
  private static String originOf(String page) {
    if (page == null) {
      return null;
    }
    try {
      URI address = URI.create(page);
      return address.getScheme() + "://" + address.getRawAuthority();
    } catch (IllegalArgumentException e) {
      return page;
    }
  }
}
