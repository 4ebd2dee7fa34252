package io.seckill.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a series of HTTP requests: a text with {@code {user}} and {@code {product}} in it.
 * The n-th request has user {@code firstUser + n % users} and product {@code firstProduct + n %
 * products}. So when {@code users} is a multiple of {@code products}, a user always gets the same
 * product.
 *
 * @param users number of users after which the series repeats
 */
public record RequestTemplate(
    String text, long firstUser, long users, long firstProduct, int products) {

  private static final String HOST = " HTTP/1.1\r\nHost: 127.0.0.1\r\n";

  /** Purchases of one unit; each buyer has a key. */
  public static RequestTemplate buy(long firstUser, long users, long firstProduct, int products) {
    return buyWithKey("k-{user}", firstUser, users, firstProduct, products);
  }

  /** The same purchases by buyers who wait in the request for the end, at most so many seconds. */
  public RequestTemplate awaiting(int seconds) {
    String waiting =
        text.replace("Content-Length", "Prefer: wait=" + seconds + "\r\nContent-Length");
    return new RequestTemplate(waiting, firstUser, users, firstProduct, products);
  }

  /** Purchases of one unit by the buyers of {@link #buy}, with another key. */
  public static RequestTemplate buyAgain(
      long firstUser, long users, long firstProduct, int products) {
    return buyWithKey("again-{user}", firstUser, users, firstProduct, products);
  }

  /** Questions of the buyers of {@link #buy} for their result. */
  public static RequestTemplate result(
      long firstUser, long users, long firstProduct, int products) {
    String path = "GET /seckill/result?idemKey=k-{user}&productId={product}";
    return new RequestTemplate(
        path + HOST + "X-User-Id: {user}\r\n\r\n", firstUser, users, firstProduct, products);
  }

  private static RequestTemplate buyWithKey(
      String key, long firstUser, long users, long firstProduct, int products) {
    String headers = "X-User-Id: {user}\r\nIdempotency-Key: " + key + "\r\nContent-Length: 0\r\n";
    return new RequestTemplate(
        "POST /seckill/{product}" + HOST + headers + "\r\n",
        firstUser,
        users,
        firstProduct,
        products);
  }

  long user(long n) {
    return firstUser + n % users;
  }

  long product(long n) {
    return firstProduct + n % products;
  }

  /** The n-th request as text. */
  public String render(long n) {
    return text.replace("{user}", Long.toString(user(n)))
        .replace("{product}", Long.toString(product(n)));
  }

  /** Renders into buffers without making a string for each request. */
  Writer writer() {
    return new Writer(this);
  }

  static final class Writer {
    private final RequestTemplate template;
    private final List<byte[]> literals = new ArrayList<>();
    private final List<Character> variables = new ArrayList<>();
    private final byte[] digits = new byte[20];

    private Writer(RequestTemplate template) {
      this.template = template;
      int from = 0;
      String text = template.text;
      for (int open = text.indexOf('{'); open >= 0; open = text.indexOf('{', from)) {
        int close = text.indexOf('}', open);
        literals.add(text.substring(from, open).getBytes(StandardCharsets.US_ASCII));
        variables.add(text.charAt(open + 1));
        from = close + 1;
      }
      literals.add(text.substring(from).getBytes(StandardCharsets.US_ASCII));
    }

    void write(long n, ByteBuffer into) {
      for (int i = 0; i < variables.size(); i++) {
        into.put(literals.get(i));
        putDecimal(variables.get(i) == 'u' ? template.user(n) : template.product(n), into);
      }
      into.put(literals.get(variables.size()));
    }

    private void putDecimal(long value, ByteBuffer into) {
      int at = digits.length;
      long rest = value;
      do {
        digits[--at] = (byte) ('0' + rest % 10);
        rest /= 10;
      } while (rest > 0);
      into.put(digits, at, digits.length - at);
    }
  }
}
