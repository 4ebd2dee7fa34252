package io.seckill.http;

import io.seckill.StartRefusedException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tokens that administrative calls may show: that of {@code seckill.admin.token}, with the name
 * and the role admin, and those of {@code seckill.admin.tokens}, each with a name and a role of its
 * own.
 *
 * <p>Of a named token only the SHA-256 is known here. A fast hash is right, because the tokens are
 * random: nobody tries 2<sup>256</sup> of them, however fast. For passwords that people choose it
 * would be wrong.
 */
final class AdminTokens {
  /** The property with the named tokens. */
  static final String PROPERTY = "seckill.admin.tokens";

  private static final String SHARED = "admin";
  private static final Pattern ENTRY =
      Pattern.compile("([A-Za-z0-9][A-Za-z0-9._@-]{0,63}):([a-z]+):([0-9a-fA-F]{64})");

  /** The name and role of a token's holder. */
  record Holder(String name, Role role) {}

  private record Known(Holder holder, SharedSecret secret) {}

  private final List<Known> tokens;

  private AdminTokens(List<Known> tokens) {
    this.tokens = List.copyOf(tokens);
  }

  /**
   * Reads the tokens.
   *
   * @param shared the token of seckill.admin.token; blank for none
   * @param named entries {@code name:role:sha256} with commas or white space between them; blank
   *     for none
   * @throws StartRefusedException for a malformed entry, or when a name or a token comes twice
   */
  static AdminTokens of(String shared, String named) {
    List<Known> tokens = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Set<String> hashes = new HashSet<>();
    if (!shared.isBlank()) {
      tokens.add(new Known(new Holder(SHARED, Role.ADMIN), new SharedSecret(shared)));
      names.add(SHARED);
      hashes.add(SharedSecret.hash(shared.strip()));
    }
    int number = 0;
    for (String entry : named.strip().split("[,\\s]+")) {
      if (entry.isEmpty()) {
        continue;
      }
      number++;
      Matcher parts = ENTRY.matcher(entry);
      Role role = parts.matches() ? Role.named(parts.group(2)).orElse(null) : null;
      if (role == null) {
        throw refusal(number, "is not name:role:sha256, with a role of view, operate or admin");
      }
      if (!names.add(parts.group(1))) {
        throw refusal(number, "has the name of another token, " + parts.group(1));
      }
      String hash = parts.group(3).toLowerCase(java.util.Locale.ROOT);
      if (!hashes.add(hash)) {
        throw refusal(number, "has the token of another entry");
      }
      tokens.add(
          new Known(
              new Holder(parts.group(1), role),
              SharedSecret.ofHash(HexFormat.of().parseHex(hash))));
    }
    return new AdminTokens(tokens);
  }

  /** Entries are named by their number, because a malformed one may hold a token. */
  private static StartRefusedException refusal(int number, String reason) {
    return new StartRefusedException(PROPERTY + ": entry " + number + " " + reason + ".");
  }

  /** The holder of a token; null when there is none. Takes the same time for every wrong token. */
  Holder find(String token) {
    byte[] digest = SharedSecret.digest(token);
    Holder found = null;
    for (Known known : tokens) {
      if (known.secret().matches(digest)) {
        found = known.holder();
      }
    }
    return found;
  }
}
