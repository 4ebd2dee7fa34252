package io.seckill.http;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.AsciiString;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a request must be before anything is done for it (RFC 9110, RFC 9112, RFC 3986). These rules
 * are stricter than RFC 9112 where a proxy in front might read a request in another way than this
 * server: what cannot be read in one way only is not read at all.
 */
final class RequestRules {
  private static final AsciiString HOST = AsciiString.cached("host");
  private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");
  private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
  private static final AsciiString TRANSFER_ENCODING = AsciiString.cached("transfer-encoding");
  private static final AsciiString CHUNKED = AsciiString.cached("chunked");

  private static final String JSON = "application/json";
  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  private static final String QUOTED =
      "\"(?:[^\"\\\\\\x00-\\x08\\x0A-\\x1F\\x7F]|\\\\[\\t -~])*+\"";
  private static final String PARAMETER = TOKEN + "=(?:" + TOKEN + "|" + QUOTED + ")";
  private static final Pattern MEDIA_TYPE =
      Pattern.compile(
          "[ \\t]*+"
              + TOKEN
              + "/"
              + TOKEN
              + "(?:[ \\t]*+;[ \\t]*+(?:"
              + PARAMETER
              + ")?+)*+[ \\t]*+");

  private static final int MEDIA_TYPE_LENGTH = 256;
  private static final int MAX_PORT = 65_535;
  private static final boolean[] IN_PATH = ascii("/!$&'()*+,;=:@");
  private static final boolean[] IN_NAME = ascii("!$&'()*+,;=");
  private static final boolean[] IN_LITERAL = ascii(":");

  private final boolean trailingSlash;

  /**
   * @param trailingSlash whether a path may end with a slash
   */
  RequestRules(boolean trailingSlash) {
    this.trailingSlash = trailingSlash;
  }

  /** Letters, digits, {@code - . _ ~} and these. */
  private static boolean[] ascii(String more) {
    boolean[] set = new boolean[128];
    for (char c = 0; c < set.length; c++) {
      set[c] = isUnreserved(c) || more.indexOf(c) >= 0;
    }
    return set;
  }

  private static boolean isUnreserved(int c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~';
  }

  /** What is wrong with a head that cannot be read. */
  static Rejection ofHead(Throwable cause) {
    return cause instanceof TooLongHttpLineException
        ? Rejection.LINE
        : cause instanceof TooLongHttpHeaderException ? Rejection.HEADERS : Rejection.MALFORMED;
  }

  /** What is wrong with a body that cannot be read: its chunks, or the trailers after them. */
  static Rejection ofBody(Throwable cause) {
    return cause instanceof TooLongHttpHeaderException ? Rejection.HEADERS : Rejection.MALFORMED;
  }

  /**
   * Judges the head of a request. A target that is a whole URI becomes path and query, and its
   * authority the Host (RFC 9112, 3.2.2).
   *
   * @return null when there is nothing against it
   */
  Rejection judge(HttpRequest request) {
    // Netty has one object of each version and method it knows
    HttpVersion version = request.protocolVersion();
    boolean old = version == HttpVersion.HTTP_1_0;
    if (!old && version != HttpVersion.HTTP_1_1) {
      return version.majorVersion() == 1 && version.minorVersion() < 2
          ? Rejection.MALFORMED
          : Rejection.VERSION;
    }
    HttpMethod method = request.method();
    if (method != HttpMethod.POST
        && method != HttpMethod.GET
        && method != HttpMethod.valueOf(method.name())) {
      return isToken(method.name()) ? Rejection.METHOD : Rejection.MALFORMED;
    }
    CharSequence host = null;
    CharSequence coding = null;
    CharSequence type = null;
    boolean length = false;
    Iterator<Map.Entry<CharSequence, CharSequence>> headers =
        request.headers().iteratorCharSequence();
    while (headers.hasNext()) {
      Map.Entry<CharSequence, CharSequence> header = headers.next();
      CharSequence name = header.getKey();
      int letters = name.length();
      if (letters == HOST.length() && HOST.contentEqualsIgnoreCase(name)) {
        if (host != null) {
          return Rejection.HOST;
        }
        host = header.getValue();
      } else if (letters == CONTENT_LENGTH.length()
          && CONTENT_LENGTH.contentEqualsIgnoreCase(name)) {
        length = true;
      } else if (letters == TRANSFER_ENCODING.length()
          && TRANSFER_ENCODING.contentEqualsIgnoreCase(name)) {
        if (coding != null) {
          return Rejection.FRAMING;
        }
        coding = header.getValue();
      } else if (letters == CONTENT_TYPE.length() && CONTENT_TYPE.contentEqualsIgnoreCase(name)) {
        if (type != null || !isMediaType(header.getValue())) {
          return Rejection.MEDIA_TYPE;
        }
        type = header.getValue();
      } else if (letters == 0) {
        return Rejection.MALFORMED;
      }
    }
    if (coding != null) {
      if (old || length) {
        return Rejection.FRAMING;
      }
      if (!CHUNKED.contentEqualsIgnoreCase(coding)) {
        return Rejection.CODING;
      }
    }
    if (host == null ? !old : !isAuthority(host)) {
      return Rejection.HOST;
    }
    return judgeTarget(request);
  }

  private Rejection judgeTarget(HttpRequest request) {
    String target = request.uri();
    if (target.startsWith("/")) {
      return isNormal(target) ? null : Rejection.TARGET;
    }
    if (target.equals("*")) {
      return request.method().equals(HttpMethod.OPTIONS) ? null : Rejection.TARGET;
    }
    String scheme = target.toLowerCase(Locale.ROOT);
    int start = scheme.startsWith("http://") ? 7 : scheme.startsWith("https://") ? 8 : 0;
    if (start == 0) {
      return Rejection.TARGET;
    }
    int end = start;
    while (end < target.length() && "/?#".indexOf(target.charAt(end)) < 0) {
      end++;
    }
    String authority = target.substring(start, end);
    if (!isAuthority(authority)) {
      return Rejection.HOST;
    }
    String path = target.substring(end);
    path = path.startsWith("/") ? path : "/" + path;
    if (!isNormal(path)) {
      return Rejection.TARGET;
    }
    request.setUri(path);
    request.headers().set(HOST, authority);
    return null;
  }

  /**
   * Whether a path, with its query if it has one, can be read in one way only: no empty or dot
   * segment, and nothing encoded that need not be or that separates.
   */
  private boolean isNormal(String target) {
    int length = target.length();
    int segment = 0;
    int i = 0;
    for (; i < length; i++) {
      char c = target.charAt(i);
      if (c == '/') {
        if (i > 0 && isForbidden(target, segment, i)) {
          return false;
        }
        segment = i + 1;
      } else if (c == '?') {
        break;
      } else if (c == '%') {
        if (!mayBeEncoded(octet(target, i))) {
          return false;
        }
        i += 2;
      } else if (c >= IN_PATH.length || !IN_PATH[c]) {
        return false;
      }
    }
    boolean last = segment == i ? i == 1 || trailingSlash : !isForbidden(target, segment, i);
    return last && (i == length || isQuery(target, i + 1));
  }

  private static boolean isForbidden(String target, int start, int end) {
    int length = end - start;
    return length == 0
        || target.charAt(start) == '.'
            && (length == 1 || length == 2 && target.charAt(start + 1) == '.');
  }

  private static boolean mayBeEncoded(int octet) {
    return octet >= ' '
        && octet != 0x7F
        && octet != '/'
        && octet != '\\'
        && octet != '%'
        && !isUnreserved(octet);
  }

  private static boolean isQuery(String target, int start) {
    for (int i = start; i < target.length(); i++) {
      char c = target.charAt(i);
      if (c == '%') {
        if (octet(target, i) < 0) {
          return false;
        }
        i += 2;
      } else if (c <= ' ' || c == '#' || c >= 0x7F) {
        return false;
      }
    }
    return true;
  }

  /** The octet that is encoded here; -1 when none is. */
  private static int octet(String target, int percent) {
    if (percent + 2 >= target.length()) {
      return -1;
    }
    int high = Character.digit(target.charAt(percent + 1), 16);
    int low = Character.digit(target.charAt(percent + 2), 16);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  private static boolean isToken(String text) {
    return text.chars().allMatch(c -> isUnreserved(c) || "!#$%&'*+^`|".indexOf(c) >= 0);
  }

  private static boolean isMediaType(CharSequence value) {
    return JSON.contentEquals(value)
        || value.length() <= MEDIA_TYPE_LENGTH && MEDIA_TYPE.matcher(value).matches();
  }

  /** Whether it is a name or address, and perhaps a port. */
  private static boolean isAuthority(CharSequence host) {
    int length = host.length();
    int end = 0;
    if (length > 0 && host.charAt(0) == '[') {
      for (end = 1; end < length && allows(IN_LITERAL, host.charAt(end)); end++) {}
      if (end < 3 || end == length || host.charAt(end) != ']') {
        return false;
      }
      end++;
    } else {
      while (end < length && allows(IN_NAME, host.charAt(end))) {
        end++;
      }
    }
    return end > 0 && (end == length || host.charAt(end) == ':' && isPort(host, end + 1));
  }

  private static boolean allows(boolean[] set, char c) {
    return c < set.length && set[c];
  }

  private static boolean isPort(CharSequence host, int start) {
    int port = 0;
    for (int i = start; i < host.length(); i++) {
      int digit = host.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return false;
      }
      port = port * 10 + digit;
      if (port > MAX_PORT) {
        return false;
      }
    }
    return true;
  }
}
