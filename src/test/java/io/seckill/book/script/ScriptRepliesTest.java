package io.seckill.book.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.domain.Status;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each script's header says its replies; they are read as the types that Java has for them. */
class ScriptRepliesTest {
  /** {@code NAME {code, field, 'text', ...}: meaning}; the braces may go over several lines. */
  private static final Pattern REPLY =
      Pattern.compile(
          "^--   ([A-Z_]+) \\{(-?\\d+)(?:, ([^{}]*(?:\\{[^}]*}[^{}]*)?))?}", Pattern.MULTILINE);

  private static final Pattern FIELD =
      Pattern.compile("(\\w+): \\{([^}]*)}, \\.{3}|'(\\w+)'(, \\.{3})?|(\\w+)");

  /**
   * A field of a reply as the header says it.
   *
   * @param parts the texts of each of its lists; null where it is no list of lists
   */
  private record Field(String name, boolean text, boolean repeated, List<String> parts) {}

  private record Reply(String outcome, long code, List<Field> fields) {}

  static Stream<String> scripts() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("lua"))) {
      return files
          .map(file -> file.getFileName().toString().replace(".lua", ""))
          .sorted()
          .toList()
          .stream();
    }
  }

  private static List<Reply> header(String script) throws IOException {
    String header =
        Files.readAllLines(Path.of("lua", script + ".lua")).stream()
            .takeWhile(line -> line.startsWith("--"))
            .dropWhile(line -> !line.startsWith("-- Returns, texts in quotes"))
            .collect(Collectors.joining("\n"));
    List<Reply> replies = new ArrayList<>();
    for (Matcher reply = REPLY.matcher(header); reply.find(); ) {
      String fields = reply.group(3) == null ? "" : reply.group(3).replace("\n--    ", "");
      replies.add(new Reply(reply.group(1), Long.parseLong(reply.group(2)), fields(fields)));
    }
    return replies;
  }

  private static List<Field> fields(String text) {
    List<Field> fields = new ArrayList<>();
    for (Matcher field = FIELD.matcher(text); field.find(); ) {
      if (field.group(1) != null) {
        List<String> parts = fields(field.group(2)).stream().map(Field::name).toList();
        assertThat(fields(field.group(2))).as("parts of lists").allMatch(Field::text);
        fields.add(new Field(field.group(1), false, true, parts));
      } else if (field.group(3) != null) {
        fields.add(new Field(field.group(3), true, field.group(4) != null, null));
      } else {
        fields.add(new Field(field.group(5), false, false, null));
      }
    }
    return fields;
  }

  /** The fields of a reply's record; a record in it stands for its own fields. */
  private static Map<RecordComponent, Object> flat(Object reply) throws Exception {
    Map<RecordComponent, Object> flat = new LinkedHashMap<>();
    for (RecordComponent component : reply.getClass().getRecordComponents()) {
      Object value = component.getAccessor().invoke(reply);
      if (component.getType().isRecord()) {
        flat.putAll(flat(value));
      } else {
        flat.put(component, value);
      }
    }
    return flat;
  }

  private static List<RecordComponent> flat(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .flatMap(
            component ->
                component.getType().isRecord()
                    ? flat(component.getType()).stream()
                    : Stream.of(component))
        .toList();
  }

  private static Map<String, Class<?>> typesOf(String script) throws Exception {
    return Arrays.stream(replyType(script).getPermittedSubclasses())
        .filter(type -> type != OwnReply.class)
        .collect(Collectors.toMap(OutcomeNames::of, type -> type));
  }

  /** The sealed type that a script's reader makes. */
  private static Class<?> replyType(String script) throws Exception {
    ParameterizedType type =
        (ParameterizedType)
            Script.class
                .getField(script.toUpperCase(Locale.ROOT).replace('-', '_'))
                .getGenericType();
    return (Class<?>) type.getActualTypeArguments()[0];
  }

  /** A value of a field as Redis would send it, which differs from those beside it. */
  private static Object sent(RecordComponent component, Field field, int place) {
    if (!field.text()) {
      return component.getType() == boolean.class ? 1L : 1_000L + place;
    }
    return text(component.getType(), place);
  }

  private static String text(Class<?> type, int place) {
    if (type == Status.class) {
      return Status.FAIL_SYSTEM.name();
    }
    return type == String.class ? "text " + place : "" + (2_000 + place);
  }

  private static Object read(Class<?> type, Object sent) {
    if (type == boolean.class) {
      return sent.equals(1L);
    }
    if (type == Status.class) {
      return Status.valueOf(sent.toString());
    }
    if (type == String.class) {
      return sent;
    }
    Long number = Long.valueOf(sent.toString());
    return type == int.class ? (Object) number.intValue() : number;
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void shouldHaveATypeForEachReplyOfTheHeader(String script) throws Exception {
    List<Reply> header = header(script);
    Map<String, Class<?>> types = typesOf(script);

    assertThat(header).extracting(Reply::outcome).doesNotHaveDuplicates();
    assertThat(header).extracting(Reply::code).doesNotHaveDuplicates();
    assertThat(header)
        .extracting(Reply::outcome)
        .containsExactlyInAnyOrderElementsOf(types.keySet());
    assertThat(header)
        .allSatisfy(
            reply ->
                assertThat(reply.fields())
                    .as(reply.outcome())
                    .extracting(Field::name)
                    .isEqualTo(
                        flat(types.get(reply.outcome())).stream()
                            .map(RecordComponent::getName)
                            .toList()));
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void shouldReadEachReplyOfTheHeader(String script) throws Exception {
    for (Reply reply : header(script)) {
      List<RecordComponent> components = flat(typesOf(script).get(reply.outcome()));
      List<Object> values = new ArrayList<>(List.of(reply.code()));
      List<Object> expected = new ArrayList<>();
      for (int i = 0; i < components.size(); i++) {
        Field field = reply.fields().get(i);
        RecordComponent component = components.get(i);
        if (field.parts() != null) {
          List<List<String>> lists = lists(component, field);
          values.addAll(lists);
          expected.add(entries(component, lists));
        } else if (field.repeated()) {
          values.addAll(List.of("first", "second"));
          expected.add(List.of("first", "second"));
        } else {
          Object sent = sent(component, field, i);
          values.add(sent);
          expected.add(read(component.getType(), sent));
        }
      }

      ScriptReply read = Script.named(script).read(values);

      assertThat(read.outcome()).isEqualTo(reply.outcome());
      assertThat(List.copyOf(flat(read).values())).as(reply.outcome()).isEqualTo(expected);
    }
  }

  private static Class<?> entryOf(RecordComponent list) {
    return (Class<?>) ((ParameterizedType) list.getGenericType()).getActualTypeArguments()[0];
  }

  private static List<List<String>> lists(RecordComponent component, Field field) {
    List<RecordComponent> parts = flat(entryOf(component));
    assertThat(parts).extracting(RecordComponent::getName).isEqualTo(field.parts());
    List<List<String>> lists = new ArrayList<>();
    for (int each = 1; each <= 2; each++) {
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < parts.size(); i++) {
        texts.add(text(parts.get(i).getType(), 100 * each + i));
      }
      lists.add(texts);
    }
    return lists;
  }

  private static List<Object> entries(RecordComponent component, List<List<String>> lists)
      throws Exception {
    Class<?> type = entryOf(component);
    List<RecordComponent> parts = flat(type);
    Class<?>[] types = parts.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
    List<Object> entries = new ArrayList<>();
    for (List<String> texts : lists) {
      Object[] read = new Object[types.length];
      for (int i = 0; i < types.length; i++) {
        read[i] = read(types[i], texts.get(i));
      }
      entries.add(type.getConstructor(types).newInstance(read));
    }
    return entries;
  }

  /** The codes that the source returns, also by a variable, are those of the header. */
  @ParameterizedTest
  @MethodSource("scripts")
  void shouldReturnWhatTheHeaderSays(String script) throws Exception {
    Set<Long> said = header(script).stream().map(Reply::code).collect(Collectors.toSet());
    Set<Long> returned =
        Pattern.compile("(?:return|\\w+ =) \\{(-?\\d+)")
            .matcher(Files.readString(Path.of("lua", script + ".lua")))
            .results()
            .map(code -> Long.valueOf(code.group(1)))
            .collect(Collectors.toSet());

    assertThat(returned).isEqualTo(said);
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void shouldFailAtACodeThatIsNotInTheHeader(String script) {
    for (List<Object> values : List.<List<Object>>of(List.of(77L), List.of(77L, "a"))) {
      assertThatThrownBy(() -> Script.named(script).read(values))
          .isInstanceOf(UnknownReplyException.class)
          .hasMessageContaining(script)
          .hasMessageContaining("77");
    }
    for (List<Object> nothing : Arrays.<List<Object>>asList(List.of(), null)) {
      assertThatThrownBy(() -> Script.named(script).read(nothing))
          .isInstanceOf(UnknownReplyException.class)
          .hasMessageContaining(script);
    }
  }

  @Test
  void shouldFailAtValuesThatAreNotOfTheReply() {
    for (List<Object> values :
        List.<List<Object>>of(
            List.of(1L),
            List.of(1L, "id"),
            List.of(1L, "id", "three"),
            List.of(3L, "id", "FAIL_OTHERWISE", "", ""),
            List.of(3L, "id", "SUCCESS", "nine", ""))) {
      assertThatThrownBy(() -> Script.RESERVE.read(values))
          .isInstanceOf(UnknownReplyException.class)
          .hasMessageContaining("reserve");
    }
  }

  @Test
  void shouldReadAnEmptyTextAsNothing() {
    assertThat(Script.RESERVE.read(List.of(3L, "id", "PENDING", "", "")))
        .isEqualTo(new ReserveReply.Replayed("id", Status.PENDING, null, null));
    assertThat(Script.SALE_STATE.read(List.of(1L, "OPEN", "", "5", 0L)))
        .isEqualTo(new SaleStateReply.Moved("OPEN", null, 5L, false));
  }

  @Test
  void shouldTakeARefusalOfATeamsOwnByItsName() {
    assertThat(Script.RESERVE.read(List.of("NOT_A_MEMBER", 3L)))
        .isEqualTo(new OwnReply("NOT_A_MEMBER", List.of(3L)))
        .extracting(ScriptReply::outcome)
        .isEqualTo("NOT_A_MEMBER");
    assertThat(Script.named("a-teams-own").read(List.of("DONE")).outcome()).isEqualTo("DONE");
    assertThatThrownBy(() -> Script.RESERVE.read(List.of("not a name")))
        .isInstanceOf(UnknownReplyException.class);
    assertThatThrownBy(() -> Script.CONFIRM.read(List.of("NOT_A_MEMBER")))
        .isInstanceOf(UnknownReplyException.class);
  }
}
