package io.seckill.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.testing.Document;
import io.seckill.testing.PropertyNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The documents say what is there. {@code mvn test -Dtest=DocumentsTest -Dseckill.docs.update=true}
 * writes the pages that are made from other files.
 */
class DocumentsTest {
  private static final boolean UPDATE = Boolean.getBoolean("seckill.docs.update");
  private static final Path DOCS = Path.of("docs");
  private static final Path PROPERTIES =
      Path.of("src", "main", "resources", "application.properties");

  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");
  private static final Pattern TEST_CLASS =
      Pattern.compile("`([A-Z][A-Za-z0-9]*[a-z0-9](?:IT|Test))\\b");
  private static final Pattern FILE =
      Pattern.compile("`((?:lua|sql|src|watch|bin|bench|deploy|drill|docs)/[\\w./-]+\\.\\w+)`");
  private static final Pattern ALERT = Pattern.compile("alert: (Seckill\\w+)");
  private static final Pattern EXPLAINED_ALERT = Pattern.compile("`(Seckill[A-Z]\\w+)`");
  private static final Pattern PROPERTY = Pattern.compile("`(seckill\\.[a-z][a-z0-9.-]*[a-z])`");

  /** As an option of the JVM's, redis-cli's or mysql's; a file is none. */
  private static final Pattern SECRET_ARGUMENT =
      Pattern.compile(
          "-D[\\w.-]*(password|token|secret|jaas-config|redis\\.uri)=|redis-cli.* -a |--password=|--pass |mysql.* -p\\S");

  @Test
  void shouldListEveryPropertyWithItsReason() {
    requireSame(DOCS.resolve("PROPERTIES.md"), properties());
  }

  @Test
  void shouldListEveryScriptWithItsHeader() {
    requireSame(DOCS.resolve("SCRIPTS.md"), scripts());
  }

  @Test
  void shouldDrawTheRoutes() {
    requireSame(DOCS.resolve("ROUTES.md"), RouteDrawing.page(YamlRoutes.all()));
  }

  @Test
  void shouldLinkToPagesThatAreThere() {
    for (Path page : pages()) {
      for (String link : found(LINK, page)) {
        assertThat(page.resolveSibling(link)).as("linked from %s", page).exists();
      }
    }
  }

  @Test
  void shouldSayWhatToDoAtEachAlert() {
    assertThat(found(ALERT, Path.of("watch", "alerts.yml")))
        .isNotEmpty()
        .isEqualTo(found(EXPLAINED_ALERT, DOCS.resolve("OPERATIONS.md")));
  }

  @Test
  void shouldNameFilesTestsAndPropertiesThatAreThere() {
    Set<String> tests = testClasses();
    Set<String> properties = PropertyNames.all();
    for (Path page : pages()) {
      assertThat(found(TEST_CLASS, page)).as("tests named by %s", page).isSubsetOf(tests);
      Set<Path> shown = Document.of(page.toString()).files().keySet();
      assertThat(found(FILE, page))
          .as("files named by %s", page)
          .filteredOn(file -> !shown.contains(Path.of(file)))
          .allSatisfy(file -> assertThat(Path.of(file)).exists());
      assertThat(found(PROPERTY, page))
          .as("properties named by %s", page)
          .allSatisfy(
              name ->
                  assertThat(properties)
                      .anyMatch(
                          known ->
                              known.equals(name.replaceAll("-file$", ""))
                                  || known.startsWith(name + ".")));
    }
  }

  @Test
  void shouldShowNoPasswordOnACommandLine() {
    for (Path page : pages()) {
      assertThat(lines(page))
          .as("%s", page)
          .noneMatch(line -> SECRET_ARGUMENT.matcher(line).find());
    }
  }

  private static void requireSame(Path page, String made) {
    if (UPDATE) {
      try {
        Files.writeString(page, made);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    assertThat(page)
        .as("%s is outdated: run this test with -Dseckill.docs.update=true", page)
        .hasContent(made);
  }

  /** The properties file as tables, one a section. A comment belongs to what stands below it. */
  private static String properties() {
    StringBuilder page =
        new StringBuilder(
            """
            # Properties

            Made from `src/main/resources/application.properties`. Override any of them with a system property of its name
            (`-Dseckill.strategy=B`) or with an environment variable (`SECKILL_STRATEGY=B`: upper case, dots and dashes become underscores).

            Each secret may be in a file instead, which the property of its name with `-file` names
            (`seckill.mysql.password-file=/run/secrets/mysql`): passwords, tokens, secrets, JAAS configurations, and `seckill.redis.uri`. The file is
            read at the start, without white space around its content.
            """);
    List<String> comment = new ArrayList<>();
    for (String line : lines(PROPERTIES)) {
      Matcher section = Pattern.compile("# ---- (.*) ----").matcher(line);
      if (section.matches()) {
        page.append("\n## ").append(section.group(1)).append("\n\n");
        page.append("| property | default | |\n| --- | --- | --- |\n");
        comment.clear();
      } else if (line.startsWith("#")) {
        comment.add(line.substring(1).strip());
      } else if (line.contains("=")) {
        String[] property = line.split("=", 2);
        page.append(
            "| `%s` | %s | %s |\n".formatted(property[0], code(property[1]), cell(comment)));
        comment.clear();
      } else {
        comment.clear();
      }
    }
    return page.toString();
  }

  /** The header comment of each script. */
  private static String scripts() {
    StringBuilder page =
        new StringBuilder(
            """
            # Scripts

            Made from the headers of the files in `lua`. KEYS and ARGV are what a script takes.
            """);
    try (Stream<Path> scripts = Files.list(Path.of("lua"))) {
      scripts
          .sorted()
          .forEach(
              script -> {
                page.append("\n## ").append(script.getFileName()).append("\n\n```\n");
                lines(script).stream()
                    .takeWhile(line -> line.startsWith("--"))
                    .map(line -> line.substring(2).replaceFirst("^ ", "").stripTrailing() + "\n")
                    .forEach(page::append);
                page.append("```\n");
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return page.toString();
  }

  private static String code(String value) {
    return value.isEmpty() ? "" : "`" + value.replace("|", "\\|") + "`";
  }

  private static String cell(List<String> comment) {
    String text = String.join(" ", comment).replace("|", "\\|");
    return text.isEmpty() ? "" : Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private static List<Path> pages() {
    try (Stream<Path> docs = Files.list(DOCS)) {
      return Stream.concat(
              docs.filter(page -> page.toString().endsWith(".md")),
              Stream.of(
                      "README.md",
                      "CONTRIBUTING.md",
                      "SECURITY.md",
                      "watch/README.md",
                      "drill/README.md",
                      "bench/README.md")
                  .map(Path::of))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> found(Pattern pattern, Path page) {
    Set<String> found = new LinkedHashSet<>();
    Matcher matcher = pattern.matcher(String.join("\n", lines(page)));
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  private static Set<String> testClasses() {
    try (Stream<Path> sources = Files.walk(Path.of("src", "test", "java"))) {
      return sources
          .map(source -> source.getFileName().toString())
          .filter(name -> name.endsWith(".java"))
          .map(name -> name.substring(0, name.length() - ".java".length()))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
