package io.seckill.http;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What the holder of an admin token may do. Each role may do all that those before it may. */
public enum Role {
  /** Look. */
  VIEW,
  /** Act during a sale: what stops, resumes or feeds it, and what ends single orders. */
  OPERATE,
  /** Everything: also what makes, changes, ends, settles or rebuilds a sale. */
  ADMIN;

  private static final Set<String> ON_A_SALE = Set.of("pause", "resume", "restock");
  private static final Set<String> ON_A_DEAD_LETTER = Set.of("replay", "compensate");
  private static final Set<String> ON_A_WEBHOOK = Set.of("test", "replay");

  /** The role of this name, such as {@code view}; empty for any other text. */
  static Optional<Role> named(String name) {
    return Arrays.stream(values()).filter(role -> role.label().equals(name)).findFirst();
  }

  /** Its name as properties and answers have it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether this role may do what needs the other one. */
  public boolean includes(Role needed) {
    return compareTo(needed) >= 0;
  }

  /**
   * The role that a call needs. A call that is not listed here needs {@link #ADMIN}.
   *
   * @param path below {@code /admin}, in its normal form
   */
  static Role neededFor(String method, String path) {
    if (method.equals("GET") || method.equals("HEAD")) {
      return VIEW;
    }
    String[] parts = path.split("/", -1);
    String resource = parts.length > 2 ? parts[2] : "";
    boolean operates =
        switch (resource) {
          case "sales" -> isActOn(method, parts, ON_A_SALE);
          case "dead-letters" -> isActOn(method, parts, ON_A_DEAD_LETTER);
          case "webhooks" -> isActOn(method, parts, ON_A_WEBHOOK) || isReplay(method, parts);
          case "limits" -> method.equals("PUT") && parts.length == 3;
          case "activities" -> method.equals("PUT") && parts.length == 4;
          default -> false;
        };
    return operates ? OPERATE : ADMIN;
  }

  private static boolean isActOn(String method, String[] parts, Set<String> acts) {
    return method.equals("POST") && parts.length == 5 && acts.contains(parts[4]);
  }

  /** Of one delivery of a webhook. */
  private static boolean isReplay(String method, String[] parts) {
    return method.equals("POST") && parts.length == 7 && parts[6].equals("replay");
  }
}
