package io.seckill.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProblemCodesTest {
  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final Path PURCHASES = SOURCES.resolve(Path.of("io", "seckill", "api"));
  private static final Pattern WITH_STATUS =
      Pattern.compile("\\b([45]\\d\\d),\\s*\"([A-Z][A-Z_]+)\"");
  private static final Pattern OF_PURCHASE = Pattern.compile("\"(FAIL_[A-Z_]+)\"");

  @Test
  void shouldExplainEachCodeThatTheSourcesNameAndNoOther() throws IOException {
    Map<String, String> named = new TreeMap<>();
    TreeSet<String> ofPurchases = new TreeSet<>();
    for (String source : sources(SOURCES)) {
      Matcher found = WITH_STATUS.matcher(source);
      while (found.find()) {
        named.put(found.group(2), found.group(1));
      }
    }
    for (String source : sources(PURCHASES)) {
      Matcher purchase = OF_PURCHASE.matcher(source);
      while (purchase.find()) {
        ofPurchases.add(purchase.group(1));
      }
    }
    ofPurchases.forEach(code -> named.putIfAbsent(code, "409"));
    Map<String, String> explained = new TreeMap<>();
    ProblemCodes.all().forEach((code, text) -> explained.put(code, text.status()));

    assertThat(explained).isEqualTo(named);
  }

  private static List<String> sources(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(ProblemCodesTest::read)
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
