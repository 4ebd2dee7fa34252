package io.seckill.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lettuce.core.Consumer;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.seckill.book.BookKeys;
import io.seckill.domain.RequestId;
import io.seckill.embedded.RedisServer;
import io.seckill.testing.Products;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Scripts whose user may not run one of their commands: all is done, or nothing. */
class ScriptRightsIT {
  private static final Path FOLDER = Path.of("lua");
  private static final Pattern COMMAND = Pattern.compile("redis\\.p?call\\('([A-Z]+)'");
  private static final String LIMITED = "limited";

  private static RedisServer server;
  private static RedisClient client;
  private static RedisCommands<String, String> admin;

  /** A product's book as a script is to find it. */
  private record Shelf(long productId) {
    List<Object> run(RedisCommands<String, String> user, String script, Object... arguments) {
      String[] keys = keys();
      return user.eval(
          source(script),
          ScriptOutputType.MULTI,
          script.equals("rebuild-stage") || script.equals("rebuild-swap")
              ? keys
              : Arrays.copyOf(keys, 4),
          Stream.of(arguments).map(String::valueOf).toArray(String[]::new));
    }

    String[] keys() {
      String tag = "seckill:{" + productId + "}:";
      return Stream.concat(
              Stream.of(BookKeys.all(productId)),
              Stream.of(tag + "staging:sale", tag + "staging:users"))
          .toArray(String[]::new);
    }

    String request(long userId) {
      return RequestId.of(productId, userId, "k").toString();
    }

    void preheat() {
      run(admin, "preheat", 1, 10, 5, "", "", "OPEN");
    }

    String reserve(long userId, int quantity) {
      run(admin, "reserve", userId, "k", request(userId), quantity, 0);
      return request(userId);
    }

    void group() {
      admin.xgroupCreate(StreamOffset.from(BookKeys.outbox(productId), "0"), "relay");
    }

    String outboxId() {
      return admin
          .xrange(BookKeys.outbox(productId), Range.unbounded(), Limit.unlimited())
          .get(0)
          .getId();
    }

    void stage(long epoch) {
      run(admin, "rebuild-stage", epoch);
    }

    List<Object> content() {
      return Stream.of(keys()).<Object>map(key -> Arrays.toString(admin.dump(key))).toList();
    }
  }

  private static Arguments of(String script, Function<Shelf, Object[]> prepare) {
    return Arguments.of(script, prepare);
  }

  static Stream<Arguments> scripts() {
    return Stream.of(
        of("nodes", shelf -> new Object[] {"node-1", "{}", 1}),
        of("preheat", shelf -> new Object[] {1, 10, 5, "", "", "OPEN"}),
        of(
            "preheat",
            shelf -> {
              shelf.preheat();
              return new Object[] {1, 12, 5, "1", "", "OPEN"};
            }),
        of(
            "reserve",
            shelf -> {
              shelf.preheat();
              shelf.reserve(7, 1);
              return new Object[] {8, "k", shelf.request(8), 2, 0};
            }),
        of(
            "confirm",
            shelf -> {
              shelf.preheat();
              return new Object[] {shelf.reserve(7, 3), 1, 2, shelf.reserve(8, 1), 2, 1};
            }),
        of(
            "release",
            shelf -> {
              shelf.preheat();
              return new Object[] {"FAIL_SYSTEM", "poison", shelf.reserve(7, 3), "k", 3};
            }),
        of(
            "release",
            shelf -> {
              shelf.preheat();
              return new Object[] {"FAIL_SOLD_OUT", "none", shelf.reserve(7, 3), "k", 3};
            }),
        of(
            "acknowledge",
            shelf -> {
              shelf.preheat();
              shelf.reserve(7, 3);
              shelf.group();
              admin.xreadgroup(
                  Consumer.from("relay", "reader"),
                  StreamOffset.lastConsumed(BookKeys.outbox(shelf.productId())));
              return new Object[] {"relay", shelf.outboxId()};
            }),
        of(
            "resend",
            shelf -> {
              shelf.preheat();
              String request = shelf.reserve(7, 3);
              admin.xdel(BookKeys.outbox(shelf.productId()), shelf.outboxId());
              return new Object[] {request};
            }),
        of(
            "restock",
            shelf -> {
              shelf.preheat();
              return new Object[] {2, 2};
            }),
        of(
            "sale-state",
            shelf -> {
              shelf.preheat();
              return new Object[] {"PAUSED"};
            }),
        of(
            "settle-begin",
            shelf -> {
              shelf.run(admin, "preheat", 1, 10, 5, "", "1", "OPEN");
              return new Object[] {};
            }),
        of(
            "retire-book",
            shelf -> {
              shelf.preheat();
              shelf.run(admin, "sale-state", "ENDED");
              return new Object[] {1};
            }),
        of(
            "adopt",
            shelf -> {
              shelf.preheat();
              return new Object[] {"NOTE", 2, "ab12"};
            }),
        of(
            "adopt",
            shelf -> {
              shelf.preheat();
              shelf.run(admin, "adopt", "NOTE", 2, "ab12");
              return new Object[] {"TAKE", 2, "ab12"};
            }),
        of(
            "retire-readers",
            shelf -> {
              shelf.preheat();
              shelf.reserve(7, 1);
              shelf.group();
              admin.xgroupCreateconsumer(
                  BookKeys.outbox(shelf.productId()), Consumer.from("relay", "gone"));
              return new Object[] {"relay", 0};
            }),
        of(
            "rebuild-close",
            shelf -> {
              shelf.preheat();
              return new Object[] {};
            }),
        of(
            "rebuild-stage",
            shelf -> {
              shelf.preheat();
              shelf.stage(2);
              shelf.run(admin, "rebuild-stage", 2, "1", "earlier");
              admin.hdel(BookKeys.sale(shelf.productId()), "closed");
              return new Object[] {2};
            }),
        of(
            "rebuild-stage",
            shelf -> {
              shelf.preheat();
              shelf.stage(2);
              return new Object[] {2, "1", "entry"};
            }),
        of(
            "rebuild-swap",
            shelf -> {
              shelf.preheat();
              shelf.reserve(7, 1);
              shelf.stage(2);
              shelf.run(admin, "rebuild-stage", 2, "1", "entry");
              return new Object[] {
                2, 1, 10, 0, 1, 0, 0, 5, "", "", "OPEN", "99999999999999-1",
              };
            }));
  }

  @BeforeAll
  static void start() {
    server = Redis.own();
    client = RedisClient.create(server.uri());
    admin = client.connect().sync();
  }

  @AfterAll
  static void stop() {
    client.shutdown();
    server.stopHard();
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void shouldFailBeforeTheFirstWrite(String script, Function<Shelf, Object[]> prepare) {
    Set<String> rights = new LinkedHashSet<>();
    commandsOf(script).forEach(command -> rights.add("-" + command));
    rights.add("resetchannels");
    List<String> failed = new ArrayList<>();
    for (String right : rights) {
      Shelf shelf = new Shelf(Products.next());
      Object[] arguments = prepare.apply(shelf);
      List<Object> before = shelf.content();
      try (StatefulRedisConnection<String, String> connection = as(right)) {
        Throwable error = catchThrowable(() -> shelf.run(connection.sync(), script, arguments));
        if (error != null) {
          failed.add(right);
          assertThat(shelf.content())
              .as("%s without %s: %s", script, right, error)
              .isEqualTo(before);
          assertThat(RedisRefusal.isLackOfRights(error.getMessage()))
              .as(error.getMessage())
              .isTrue();
        }
      }
      assertThat(shelf.run(admin, script, arguments).get(0)).as("allowed again").isIn(1L, 2L, 3L);
    }
    assertThat(failed).as("rights without which %s fails", script).isNotEmpty();
  }

  @Test
  void shouldCheckEveryCommandOfEveryScript() throws IOException {
    String checked = Files.readString(FOLDER.resolve("rights.lua"));
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(files.flatMap(file -> commandsOf(nameOf(file)).stream()))
          .isNotEmpty()
          .allSatisfy(
              command ->
                  assertThat(checked).contains("{'" + command.toUpperCase(Locale.ROOT) + "'"));
    }
  }

  @Test
  void shouldTakeEachWritingScriptOnce() throws IOException {
    Pattern write = Pattern.compile("'(HSET|HDEL|UNLINK|RENAME|XACK|XADD|XDEL|XGROUP|ZADD|ZREM)'");
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(
              files
                  .map(ScriptRightsIT::nameOf)
                  .filter(name -> !name.equals("rights") && write.matcher(source(name)).find()))
          .isSubsetOf(scripts().map(each -> (String) each.get()[0]).toList());
    }
  }

  private static StatefulRedisConnection<String, String> as(String right) {
    admin.dispatch(
        CommandType.ACL,
        new StatusOutput<>(StringCodec.UTF8),
        new CommandArgs<>(StringCodec.UTF8)
            .add("SETUSER")
            .add(LIMITED)
            .add("reset")
            .add("on")
            .add(">secret")
            .add("~seckill:*")
            .add("&*")
            .add("+@all")
            .add(right));
    RedisURI uri = RedisURI.create(server.uri());
    uri.setUsername(LIMITED);
    uri.setPassword("secret".toCharArray());
    return client.connect(uri);
  }

  private static Set<String> commandsOf(String script) {
    Set<String> commands = new LinkedHashSet<>();
    Matcher matcher = COMMAND.matcher(source(script));
    while (matcher.find()) {
      commands.add(matcher.group(1).toLowerCase(Locale.ROOT));
    }
    return commands;
  }

  private static String nameOf(Path file) {
    return file.getFileName().toString().replace(".lua", "");
  }

  private static String source(String script) {
    return LuaScript.load(script).source();
  }
}
