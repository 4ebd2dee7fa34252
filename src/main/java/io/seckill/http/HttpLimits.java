package io.seckill.http;

import java.util.function.ToIntFunction;

/**
 * What a server grants those who connect.
 *
 * @param connections open at once; a further one is answered 503 and closed
 * @param pipelined requests of one connection that are taken before their answers have been sent;
 *     further ones stay unread
 * @param headerSize bytes of all headers of a request, and of its trailers; more is 431
 * @param idleSeconds after which a connection on which nothing comes in is closed
 * @param headSeconds from the first byte of a request to the end of its headers
 * @param bodySeconds from the end of its headers to the end of its body
 */
record HttpLimits(
    int connections,
    int pipelined,
    int headerSize,
    int idleSeconds,
    int headSeconds,
    int bodySeconds) {

  /**
   * Of the properties {@code seckill.http.*}.
   *
   * @throws IllegalArgumentException for one that grants nothing
   */
  static HttpLimits of(ToIntFunction<String> property) {
    return new HttpLimits(
        positive(property, "max-connections"),
        positive(property, "max-pipelined"),
        positive(property, "max-header-size"),
        positive(property, "idle-timeout"),
        positive(property, "head-timeout"),
        positive(property, "body-timeout"));
  }

  private static int positive(ToIntFunction<String> property, String name) {
    int value = property.applyAsInt("seckill.http." + name);
    if (value <= 0) {
      throw new IllegalArgumentException("seckill.http." + name + " must be 1 or more");
    }
    return value;
  }
}
