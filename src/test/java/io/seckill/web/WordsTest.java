package io.seckill.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page says the same in each of its languages. */
class WordsTest {
  private static final Path WEB = Path.of("src", "main", "resources", "web");
  private static final Pattern SENTENCE = Pattern.compile("^ {2}(\\w+): \"(.*)\",$");
  private static final Pattern VALUE = Pattern.compile("\\{\\w+}");

  @ParameterizedTest
  @ValueSource(strings = {"console", "demo"})
  void shouldHaveEachSentenceInBothLanguagesWithTheSameValues(String page) throws IOException {
    Map<String, String> english = values(page, "en.js");
    assertThat(english).hasSizeGreaterThan(30);
    assertThat(values(page, "zh.js")).isEqualTo(english);
  }

  /** The values that each sentence takes. */
  private static Map<String, String> values(String page, String file) throws IOException {
    Map<String, String> values = new TreeMap<>();
    for (String line : Files.readAllLines(WEB.resolve(page).resolve(file))) {
      Matcher sentence = SENTENCE.matcher(line);
      if (sentence.matches()) {
        TreeSet<String> names = new TreeSet<>();
        Matcher value = VALUE.matcher(sentence.group(2));
        while (value.find()) {
          names.add(value.group());
        }
        values.put(sentence.group(1), names.toString());
      }
    }
    return values;
  }
}
