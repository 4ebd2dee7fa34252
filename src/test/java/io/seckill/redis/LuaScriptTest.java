package io.seckill.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every script of the folder. */
class LuaScriptTest {
  private static final Pattern CALL =
      Pattern.compile("redis\\.p?call\\('([A-Z]+)'(?:, '([A-Z]+)')?(?:, ([^,)]+))?");

  private static final String ALL_KEYS =
      "local sale, users, outbox, pending = KEYS[1], KEYS[2], KEYS[3], KEYS[4]";

  static Stream<String> scripts() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("lua"))) {
      return files
          .map(file -> file.getFileName().toString().replace(".lua", ""))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void shouldSayKeysReturnsAndMovesInItsHeader(String name) {
    String source = LuaScript.load(name).source();
    String header =
        source.lines().takeWhile(line -> line.startsWith("--")).collect(Collectors.joining("\n"));
    assertThat(header)
        .contains(
            name.equals("nodes") ? "KEYS  1 nodes" : "KEYS  1 sale, 2 users, 3 outbox, 4 pending")
        .contains("eturns");
    assertThat(header).containsPattern("Moves|Makes|Writes (nothing|this node)");
    if (source.contains("ARGV[1]")) {
      assertThat(header).contains("ARGV  1 ");
    }
  }

  /** Redis Cluster refuses a script that touches a key it was not given. */
  @ParameterizedTest
  @MethodSource("scripts")
  void shouldTouchOnlyTheKeysItIsGiven(String name) {
    String source = LuaScript.load(name).source();
    if (name.equals("rights")) {
      assertThat(source).as("keys of its list of commands").contains(ALL_KEYS);
      return;
    }
    List<MatchResult> calls = CALL.matcher(source).results().toList();
    assertThat(calls).isNotEmpty();
    assertThat(calls)
        .allSatisfy(
            call -> {
              switch (call.group(1)) {
                case "TIME" -> assertThat(call.group(3)).isNull();
                case "PUBLISH" ->
                    assertThat(call.group())
                        .containsAnyOf("'seckill:events'", "(string.gsub(KEYS[1]");
                default -> assertThat(call.group(3)).startsWith("KEYS[");
              }
            });
  }

  @Test
  void shouldKnowAScriptByItsSha1() {
    LuaScript script = LuaScript.load("reserve");
    assertThat(script.sha1()).matches("[0-9a-f]{40}");
    assertThat(script).isEqualTo(LuaScript.load("reserve"));
  }

  @Test
  void shouldRefuseANameThatIsNoScript() {
    for (String name : List.of("no-such", "../reserve", "")) {
      assertThatThrownBy(() -> LuaScript.load(name)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
