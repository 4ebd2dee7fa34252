package io.seckill.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every statement keeps to, in {@code sql} and in the Java code. */
class SqlRulesTest {
  /**
   * Functions, and words that look like one, of MySQL 8.0, 8.4 and 9.7 and of MariaDB 10.6 and
   * later alike. Look into the manuals of all of them before you add one: MySQL 9.7 has no SHA1 and
   * no MD5, MySQL has no JSON_EXISTS, MariaDB has no UUID_TO_BIN and no REGEXP_LIKE.
   */
  private static final Set<String> EVERYWHERE =
      Set.of(
          "CAST",
          "COALESCE",
          "CONCAT",
          "CONNECTION_ID",
          "COUNT",
          "DATABASE",
          "EXISTS",
          "FLOOR",
          "GET_LOCK",
          "GREATEST",
          "IF",
          "IS_FREE_LOCK",
          "IS_USED_LOCK",
          "LAST_INSERT_ID",
          "LEFT",
          "LENGTH",
          "LPAD",
          "MAX",
          "NOW",
          "RELEASE_LOCK",
          "RIGHT",
          "ROUND",
          "SHA2",
          "SUBSTRING",
          "SUBSTRING_INDEX",
          "SUM",
          "UNIX_TIMESTAMP",
          "VALUES",
          "VARCHAR");

  private static final Pattern COMMENT_OR_TEXT = Pattern.compile("--[^\n]*|'[^']*'");
  private static final Pattern PARAMETER = Pattern.compile(":#(in:)?(\\$\\{[^}]*}|\\w+)");
  private static final Pattern CALL = Pattern.compile("\\b(\\w+)\\(");

  /** A piece of SQL in Java: functions stand there in upper case. */
  private static final Pattern JAVA_TEXT = Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"");

  private static final Pattern JAVA_CALL = Pattern.compile("\\b([A-Z][A-Z0-9_]+)\\(");

  @Test
  void shouldCallFunctionsThatMySqlAndMariaDbHaveInEveryVersion() {
    assertThat(files(Path.of("sql"), ".sql"))
        .isNotEmpty()
        .allSatisfy(file -> assertThat(functionsOf(text(file))).isSubsetOf(EVERYWHERE));
  }

  /** MySQL refuses it where a row of the same statement is met (error 1869), MariaDB does not. */
  @Test
  void shouldLeaveTheGeneratedIdOfAnExistingRowAlone() {
    assertThat(files(Path.of("sql"), ".sql"))
        .isNotEmpty()
        .allSatisfy(
            file ->
                assertThat(text(file))
                    .doesNotContainPattern("(?is)ON DUPLICATE KEY UPDATE[^;]*\\bid\\s*="));
  }

  @Test
  void shouldDoSoInJavaToo() {
    assertThat(files(Path.of("src/main/java"), ".java"))
        .isNotEmpty()
        .allSatisfy(file -> assertThat(functionsOfJava(text(file))).isSubsetOf(EVERYWHERE));
  }

  @Test
  void shouldFindAFunctionWhereverItStands() {
    assertThat(
            functionsOf("-- MD5(x)\nSELECT sha1(:#${body.size()}), 'UUID()', COUNT(*) FROM t (a)"))
        .containsExactly("COUNT", "SHA1");
    assertThat(functionsOfJava("ask(\"SELECT LEFT(\" + \"SHA1(x)\" + \")\"); MAX(1);"))
        .containsExactly("LEFT", "SHA1");
  }

  private static Set<String> functionsOf(String sql) {
    String statements = COMMENT_OR_TEXT.matcher(sql).replaceAll("");
    return calls(CALL, PARAMETER.matcher(statements).replaceAll("?"));
  }

  private static Set<String> functionsOfJava(String source) {
    Set<String> functions = new TreeSet<>();
    JAVA_TEXT
        .matcher(source)
        .results()
        .forEach(literal -> functions.addAll(calls(JAVA_CALL, literal.group())));
    return functions;
  }

  private static Set<String> calls(Pattern call, String text) {
    Set<String> functions = new TreeSet<>();
    Matcher found = call.matcher(text);
    while (found.find()) {
      functions.add(found.group(1).toUpperCase(Locale.ROOT));
    }
    return functions;
  }

  private static List<Path> files(Path directory, String ending) {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
