package io.seckill.answer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends a request with a problem (RFC 9457). Any step of an HTTP route may throw it; the route
 * configuration for errors writes it. It is an answer, not a fault: it has no stack trace and is
 * not logged as an error.
 */
public final class Refusal extends RuntimeException {
  /** Begins the {@code type} of a problem: with its code it is the address of the page about it. */
  public static final String TYPES = "/problems/";

  private static final int NO_RETRY = -1;

  /** Made once: a refusal is made for many a request. */
  private static final Map<String, String> TYPE_OF = new ConcurrentHashMap<>();

  private final int status;
  private final String code;
  private final String type;
  private final Map<String, Object> members;
  private final int retryAfterSeconds;
  private final String challenge;

  private Refusal(
      int status,
      String code,
      String type,
      String detail,
      Map<String, Object> members,
      int retryAfterSeconds,
      String challenge) {
    super(detail, null, false, false);
    this.status = status;
    this.code = code;
    this.type = type;
    this.members = members;
    this.retryAfterSeconds = retryAfterSeconds;
    this.challenge = challenge;
  }

  /**
   * A refusal without further members.
   *
   * @param status the HTTP status
   * @param code the problem's {@code code} member
   * @param detail one sentence for the caller; it must not reveal anything of another user
   */
  public static Refusal of(int status, String code, String detail) {
    return new Refusal(status, code, typeOf(code), detail, Map.of(), NO_RETRY, null);
  }

  private static String typeOf(String code) {
    String known = TYPE_OF.get(code);
    return known == null ? TYPE_OF.computeIfAbsent(code, TYPES::concat) : known;
  }

  /** The same refusal with one more member in its problem; a null value is left out. */
  public Refusal with(String name, Object value) {
    if (value == null) {
      return this;
    }
    Map<String, Object> extended = new LinkedHashMap<>(members);
    extended.put(name, value);
    return new Refusal(
        status,
        code,
        type,
        getMessage(),
        Collections.unmodifiableMap(extended),
        retryAfterSeconds,
        challenge);
  }

  /** The same refusal with a {@code Retry-After} of so many seconds. */
  public Refusal retryAfter(int seconds) {
    return new Refusal(status, code, type, getMessage(), members, seconds, challenge);
  }

  /** The same refusal with a {@code WWW-Authenticate} header, which a 401 must carry. */
  public Refusal challenge(String wwwAuthenticate) {
    return new Refusal(
        status, code, type, getMessage(), members, retryAfterSeconds, wwwAuthenticate);
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }

  /** The problem's {@code type}, a path on this server. */
  public String type() {
    return type;
  }

  /** Members of the problem beside {@code status}, {@code code} and {@code detail}, in order. */
  public Map<String, Object> members() {
    return members;
  }

  /** Seconds after which the caller may try again. */
  public OptionalInt retryAfter() {
    return retryAfterSeconds == NO_RETRY ? OptionalInt.empty() : OptionalInt.of(retryAfterSeconds);
  }

  /** The {@code WWW-Authenticate} header of a 401. */
  public Optional<String> challenge() {
    return Optional.ofNullable(challenge);
  }
}
