package io.seckill.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A build's {@code ledger.lua}, which reads the book of a sale. The script's header tells its keys
 * and the position of each amount in its reply. So the benchmark can read the books of builds with
 * different layouts.
 *
 * @param source the script
 * @param keyNames last parts of the keys, in the order of KEYS
 * @param replyNames names of the reply's elements, in their order
 */
record LedgerScript(String source, List<String> keyNames, List<String> replyNames) {
  private static final Pattern KEYS = Pattern.compile("KEYS\\s+(.*)");
  private static final Pattern KEY = Pattern.compile("\\d+ (\\w+)");
  private static final Pattern REPLY = Pattern.compile("\\{1,([^}]*)}");

  /**
   * @throws IOException when the build has no such script, or its header does not list keys and
   *     reply
   */
  static LedgerScript of(Build build) throws IOException {
    Path file = build.classes().resolve("lua").resolve("ledger.lua");
    return parse(Files.readString(file));
  }

  static LedgerScript parse(String source) throws IOException {
    Matcher keyLine = KEYS.matcher(source);
    Matcher reply = REPLY.matcher(source);
    if (!keyLine.find() || !reply.find()) {
      throw new IOException("the header of ledger.lua does not list KEYS and the reply {1, …}");
    }
    List<String> keys = new ArrayList<>();
    for (Matcher key = KEY.matcher(keyLine.group(1)); key.find(); ) {
      keys.add(key.group(1));
    }
    List<String> names =
        Arrays.stream(reply.group(1).split(","))
            .map(name -> name.replace("--", "").strip())
            .toList();
    return new LedgerScript(source, List.copyOf(keys), names);
  }

  /** The keys of a sale's book. */
  String[] keys(long productId) {
    return keyNames.stream()
        .map(name -> "seckill:{" + productId + "}:" + name)
        .toArray(String[]::new);
  }

  /**
   * An amount of the script's reply; 0 without a book.
   *
   * @throws IllegalArgumentException when the script does not return it
   */
  long amount(List<Object> reply, String name) {
    int at = replyNames.indexOf(name);
    if (at < 0) {
      throw new IllegalArgumentException("ledger.lua does not tell " + name);
    }
    return reply.size() > 1 ? (Long) reply.get(at + 1) : 0;
  }
}
