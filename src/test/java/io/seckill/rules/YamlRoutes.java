package io.seckill.rules;

import io.seckill.testing.Document;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The routes as they are written in {@code src/main/routes}, read as YAML without Camel. */
final class YamlRoutes {
  private static final Path DIRECTORY = Path.of("src", "main", "routes");
  private static final Path EXAMPLES = DIRECTORY.resolve("examples");
  private static final String BOTH_MODES = "common";
  private static final String SHORT_FORM = "short form";
  private static final String SUFFIX = ".camel.yaml";

  private YamlRoutes() {}

  /**
   * A route, or a part of one that has an uri.
   *
   * @param scheme the part before the first colon
   * @param uri with the path that follows the scheme, without options
   * @param options those of the uri and the parameters
   */
  record EndpointUse(String scheme, String uri, Map<String, String> options) {
    static EndpointUse of(Map<String, Object> definition) {
      String text = String.valueOf(definition.get("uri"));
      Map<String, String> options = new LinkedHashMap<>();
      int question = text.indexOf('?');
      if (question >= 0) {
        for (String option : text.substring(question + 1).split("&")) {
          String[] parts = option.split("=", 2);
          options.put(parts[0], parts.length > 1 ? parts[1] : "");
        }
        text = text.substring(0, question);
      }
      map(definition.get("parameters"))
          .forEach((name, value) -> options.put(name, String.valueOf(value)));
      return new EndpointUse(text.split(":", 2)[0], text, options);
    }

    /** Of a direct endpoint, whichever way it is written. */
    String directName() {
      return options.getOrDefault("name", uri.substring(uri.indexOf(':') + 1));
    }
  }

  /**
   * One node of a route: an EIP with what stands in it.
   *
   * @param kind name of the EIP
   * @param definition its options
   * @param steps the nodes inside, in order
   */
  record Node(String kind, Map<String, Object> definition, List<Node> steps) {
    String id() {
      return (String) definition.get("id");
    }

    /** Null when the node is no endpoint. */
    EndpointUse endpoint() {
      return definition.containsKey("uri") ? EndpointUse.of(definition) : null;
    }

    /** A text in place of options, as in {@code to: direct:audit}. */
    boolean isShortForm() {
      return definition.containsKey(SHORT_FORM);
    }

    Stream<Node> withDescendants() {
      return Stream.concat(Stream.of(this), steps.stream().flatMap(Node::withDescendants));
    }
  }

  /**
   * @param folder common, or the only mode it runs in: full or minimal
   * @param stem name of its file without the suffix
   */
  record Route(
      String folder,
      String stem,
      Map<String, Object> definition,
      EndpointUse from,
      List<Node> steps) {
    String id() {
      return (String) definition.get("id");
    }

    String description() {
      return (String) definition.get("description");
    }

    boolean runsIn(String mode) {
      return folder.equals(BOTH_MODES) || folder.equals(mode);
    }

    Stream<Node> nodes() {
      return steps.stream().flatMap(Node::withDescendants);
    }

    @Override
    public String toString() {
      return folder + "/" + stem + SUFFIX + ": " + id();
    }
  }

  /** All routes of all files that the application loads. */
  static List<Route> all() {
    return in(files());
  }

  /** The routes that teams can begin with. The application does not load them by itself. */
  static List<Route> examples() {
    return in(files(EXAMPLES));
  }

  private static List<Route> in(List<Path> files) {
    List<Route> routes = new ArrayList<>();
    for (Path file : files) {
      routes.addAll(in(file, read(file)));
    }
    return routes;
  }

  /** The routes that a document shows, each under the file it names. */
  static List<Route> shownIn(String document) {
    List<Route> routes = new ArrayList<>();
    Document.of(document)
        .files()
        .forEach(
            (file, text) -> {
              if (file.toString().endsWith(SUFFIX)) {
                routes.addAll(in(file, text));
              }
            });
    return routes;
  }

  private static List<Route> in(Path file, String text) {
    List<Route> routes = new ArrayList<>();
    for (Object element : load(file, text)) {
      Map<String, Object> route = map(map(element).get("route"));
      if (!route.isEmpty()) {
        Map<String, Object> from = map(route.get("from"));
        routes.add(
            new Route(
                file.getParent().getFileName().toString(),
                stem(file),
                route,
                EndpointUse.of(from),
                nodes(from.get("steps"))));
      }
    }
    return routes;
  }

  static List<Path> files() {
    return files(DIRECTORY).stream().filter(file -> !file.startsWith(EXAMPLES)).toList();
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> tree = Files.walk(directory)) {
      return tree.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String stem(Path file) {
    String name = file.getFileName().toString();
    return name.substring(0, name.length() - SUFFIX.length());
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<?> load(Path file, String text) {
    Object document =
        new Load(LoadSettings.builder().setLabel(file.toString()).build()).loadFromString(text);
    return document instanceof List<?> list ? list : List.of();
  }

  /** The nodes of a list of steps; what is no list has none. */
  private static List<Node> nodes(Object steps) {
    List<Node> nodes = new ArrayList<>();
    if (steps instanceof List<?> list) {
      for (Object step : list) {
        map(step).forEach((kind, body) -> nodes.add(node(kind, body)));
      }
    }
    return nodes;
  }

  private static Node node(String kind, Object body) {
    if (body instanceof String text) {
      return new Node(kind, Map.of(SHORT_FORM, text), List.of());
    }
    Map<String, Object> definition = map(body);
    List<Node> inside = new ArrayList<>(nodes(definition.get("steps")));
    for (String branch : List.of("when", "doCatch", "onWhen")) {
      Object branches = definition.get(branch);
      if (branches instanceof List<?> list) {
        list.forEach(one -> inside.add(node(branch, one)));
      }
    }
    for (String branch : List.of("otherwise", "doFinally", "onFallback")) {
      if (definition.containsKey(branch)) {
        inside.add(node(branch, definition.get(branch)));
      }
    }
    return new Node(kind, definition, inside);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }
}
