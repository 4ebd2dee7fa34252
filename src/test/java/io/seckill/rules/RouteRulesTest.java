package io.seckill.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.rules.YamlRoutes.EndpointUse;
import io.seckill.rules.YamlRoutes.Node;
import io.seckill.rules.YamlRoutes.Route;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/**
 * What every route in {@code src/main/routes} keeps to. Ids are API: tests, dashboards and alerts
 * name them.
 */
class RouteRulesTest {
  private static final Pattern KEBAB = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

  /** Names of headers, without a wildcard and without anything Camel or Kafka would act on. */
  private static final Pattern PLAIN_HEADERS =
      Pattern.compile("(?!Camel|kafka)[A-Za-z-]+(\\|(?!Camel|kafka)[A-Za-z-]+)*");

  private static final Pattern REPLY_NUMBER =
      Pattern.compile(
          "\\$\\{(exchangeProperty\\.|variable\\.preheat)[^}]*} *(==|!=|in|>|<) *'?-?[0-9]");

  /** Where a route reads a variable, as its definition reads as a text. */
  private static final Pattern VARIABLE =
      Pattern.compile("variable\\.(\\w+)|variable=\\{expression=(\\w+)");

  /** What a route may depend on: a property that switches it on. Its mode is its folder. */
  private static final Pattern SWITCHED_ON =
      Pattern.compile("'\\{\\{seckill\\.[a-z.-]+}}' == 'on'");

  private static final Set<String> BLOCKING_EIPS =
      Set.of(
          "circuitBreaker",
          "throttle",
          "delay",
          "transacted",
          "saga",
          "aggregate",
          "resequence",
          "poll",
          "pollEnrich",
          "sample",
          "idempotentConsumer");
  private static final Set<String> BLOCKING_COMPONENTS =
      Set.of("sql", "sql-stored", "jdbc", "spring-redis", "kafka", "file", "http", "https", "exec");

  /** What routes of administration ask for by its header. */
  private static final Set<String> REQUEST_HEADERS = Set.of("Content-Type", "Idempotency-Key");

  private static final Set<String> REDIS_AND_KAFKA =
      Set.of("redis-script", "redis-stream", "spring-redis", "kafka");

  /** Beans that minimal mode has not, or that ask Redis or Kafka. */
  private static final Pattern FULL_MODE_BEANS =
      Pattern.compile(
          "ref=(consumerProgress|kafkaProbe|bookWatch|ledgerWatch|watchMetrics|sweeper|drains)\\b");

  /** The examples keep to the rules as well. */
  private final List<Route> routes =
      Stream.of(YamlRoutes.all(), YamlRoutes.examples(), YamlRoutes.shownIn("docs/EXTENDING.md"))
          .flatMap(List::stream)
          .toList();

  @Test
  void shouldLieInTheFolderOfItsMode() {
    assertThat(YamlRoutes.files())
        .allSatisfy(
            file -> {
              assertThat(file.getFileName().toString()).endsWith(".camel.yaml");
              assertThat(file.getParent().getFileName().toString())
                  .isIn("common", "full", "minimal");
            });
    assertThat(YamlRoutes.files()).extracting(Path::getFileName).doesNotHaveDuplicates();
    assertThat(routes)
        .filteredOn(route -> route.definition().containsKey("precondition"))
        .allSatisfy(
            route ->
                assertThat(route.definition().get("precondition").toString())
                    .as(route.toString())
                    .matches(SWITCHED_ON)
                    .doesNotContain("mode"));
  }

  /**
   * By its id a route is found at once: most files are named after it, the rest after a sibling.
   */
  @Test
  void shouldLieInAFileNamedAfterARouteOfIt() {
    assertThat(routes).extracting(Route::id).allSatisfy(id -> assertThat(id).matches(KEBAB));
    assertThat(routes).extracting(Route::id).doesNotHaveDuplicates();
    assertThat(routes.stream().collect(Collectors.groupingBy(Route::stem)))
        .isNotEmpty()
        .allSatisfy(
            (stem, ofFile) -> {
              assertThat(ofFile).anyMatch(route -> isNamedAfter(stem, route.id()));
              assertThat(ofFile)
                  .extracting(route -> route.id().split("-")[0])
                  .as("first word of the ids in %s", stem)
                  .containsOnly(ofFile.get(0).id().split("-")[0]);
            });
  }

  /** The file's words stand in the id, {@code find-sale} in {@code sale-admin-find-sale}. */
  private static boolean isNamedAfter(String stem, String id) {
    return ("-" + id + "-").contains("-" + stem + "-");
  }

  /**
   * A route names a configuration or leaves errors to its caller. Hawtio draws no diagram where a
   * route has a handler of its own.
   */
  @Test
  void shouldHaveNoErrorHandlerOfItsOwn() {
    assertThat(routes)
        .allSatisfy(
            route ->
                assertThat(route.definition())
                    .as(route.toString())
                    .doesNotContainKeys("errorHandler", "errorHandlerRef"));
  }

  @Test
  void shouldSayWhatItDoes() {
    assertThat(routes)
        .allSatisfy(
            route ->
                assertThat(route.description()).as(route.toString()).isNotBlank().endsWith("."));
  }

  /** A variable is visible to all routes of an exchange, so its way must be told. */
  @Test
  void shouldSayWhichVariablesItSharesWithItsCallers() {
    Map<String, List<Route>> direct = direct();
    for (Route caller : routes) {
      for (Route called : calledBy(caller, direct)) {
        Set<String> taken = new HashSet<>(read(called));
        taken.removeAll(setWithin(called, direct, new HashSet<>()));
        Set<String> given = new HashSet<>(set(called));
        given.retainAll(read(caller));
        given.removeAll(set(caller));

        assertThat(wordsAfter(" Reads variable", called)).as(called.toString()).containsAll(taken);
        assertThat(wordsAfter(" Sets variable", called)).as(called.toString()).containsAll(given);
      }
    }
  }

  private static Set<String> wordsAfter(String begin, Route route) {
    String description = route.description();
    int at = description.indexOf(begin);
    return at < 0
        ? Set.of()
        : Set.of(description.substring(at + 1, description.indexOf('.', at)).split("[ ,]+"));
  }

  private static Set<String> read(Route route) {
    return VARIABLE
        .matcher(route.definition().get("from").toString())
        .results()
        .map(result -> result.group(1) != null ? result.group(1) : result.group(2))
        .collect(Collectors.toSet());
  }

  private static Set<String> set(Route route) {
    return route
        .nodes()
        .flatMap(
            node ->
                Stream.of(
                    node.kind().equals("setVariable") ? node.definition().get("name") : null,
                    node.definition().get("variableReceive")))
        .filter(Objects::nonNull)
        .map(Object::toString)
        .collect(Collectors.toSet());
  }

  /** By a route and by those it calls. */
  private static Set<String> setWithin(
      Route route, Map<String, List<Route>> direct, Set<Route> visited) {
    Set<String> all = new HashSet<>(set(route));
    if (visited.add(route)) {
      calledBy(route, direct).forEach(called -> all.addAll(setWithin(called, direct, visited)));
    }
    return all;
  }

  private static List<Route> calledBy(Route route, Map<String, List<Route>> direct) {
    return route
        .nodes()
        .map(Node::endpoint)
        .filter(endpoint -> endpoint != null && endpoint.scheme().equals("direct"))
        .flatMap(endpoint -> direct.getOrDefault(endpoint.directName(), List.of()).stream())
        .toList();
  }

  private Map<String, List<Route>> direct() {
    return routes.stream()
        .filter(route -> route.from().scheme().equals("direct"))
        .collect(Collectors.groupingBy(route -> route.from().directName()));
  }

  @Test
  void shouldNameItsNodesInKebabCaseAndOnce() {
    List<String> ids =
        routes.stream().flatMap(Route::nodes).map(Node::id).filter(Objects::nonNull).toList();

    assertThat(ids).isNotEmpty().allSatisfy(id -> assertThat(id).matches(KEBAB));
    assertThat(ids).doesNotHaveDuplicates();
    assertThat(ids).doesNotContainAnyElementsOf(routes.stream().map(Route::id).toList());
  }

  @Test
  void shouldNameEveryNodeThatCallsAnotherSystem() {
    assertThat(routes.stream().flatMap(Route::nodes))
        .filteredOn(node -> node.endpoint() != null && !node.endpoint().scheme().equals("direct"))
        .allSatisfy(node -> assertThat(node.id()).as(node.toString()).isNotBlank());
  }

  /** A call is found by searching for what it calls, {@code direct:lock-sale}. */
  @Test
  void shouldSpellEndpointsInOneWay() {
    assertThat(routes.stream().flatMap(Route::nodes))
        .allSatisfy(node -> assertThat(node.isShortForm()).as(node.toString()).isFalse());
    assertThat(
            Stream.concat(
                routes.stream().map(route -> route.definition().get("from")),
                routes.stream().flatMap(Route::nodes).map(Node::definition)))
        .filteredOn(definition -> definition instanceof Map<?, ?> map && map.containsKey("uri"))
        .extracting(definition -> ((Map<?, ?>) definition).get("uri").toString())
        .allSatisfy(
            uri -> assertThat(uri).doesNotContain("?").isNotIn("direct", "timer", "seda", "sql"));
  }

  /** Camel's canonical form: later versions deprecate {@code simple: ...} without it. */
  @Test
  void shouldWriteExpressionsInTheirCanonicalForm() {
    assertThat(routes.stream().flatMap(Route::nodes))
        .allSatisfy(
            node -> {
              assertThat(node.definition())
                  .as(node.toString())
                  .doesNotContainKeys(
                      "simple", "constant", "variable", "header", "exchangeProperty");
              assertThat(node.definition().get("method") instanceof Map)
                  .as("%s is called without an expression", node)
                  .isFalse();
              Object expression = node.definition().get("expression");
              if (expression != null) {
                assertThat(expression).asInstanceOf(InstanceOfAssertFactories.MAP).hasSize(1);
                assertThat(((Map<?, ?>) expression).values())
                    .as(node.toString())
                    .allSatisfy(language -> assertThat(language).isInstanceOf(Map.class));
              }
            });
  }

  /** What a script's numbers mean stands with its reply in Java alone. */
  @Test
  void shouldBranchOnNamesOfReplies() {
    assertThat(routes)
        .allSatisfy(
            route ->
                assertThat(route.definition().toString())
                    .as(route.toString())
                    .doesNotContain("scriptCode")
                    .doesNotContainPattern(REPLY_NUMBER));
  }

  @Test
  void shouldFilterWhereThereIsNothingToChoose() {
    assertThat(routes.stream().flatMap(Route::nodes))
        .filteredOn(node -> node.kind().equals("choice"))
        .isNotEmpty()
        .allSatisfy(node -> assertThat(node.steps()).as(node.toString()).hasSizeGreaterThan(1));
  }

  @Test
  void shouldStripHeadersAtTheEntryOfEachHttpRoute() {
    assertThat(routes)
        .filteredOn(route -> route.from().scheme().equals("platform-http"))
        .allSatisfy(
            route -> {
              Node first = route.steps().get(0);
              assertThat(first.kind()).as("first node of %s", route).isEqualTo("removeHeaders");
              assertThat(first.definition().get("pattern")).as(route.toString()).isEqualTo("*");
              Object exclude = first.definition().get("excludePattern");
              if (exclude != null) {
                assertThat(exclude.toString()).as(route.toString()).matches(PLAIN_HEADERS);
              }
            });
  }

  /** Below /admin the HTTP server asks for the admin token, so no route has to. */
  @Test
  void shouldAdministerBelowAdminAlone() {
    assertThat(YamlRoutes.all())
        .filteredOn(route -> route.from().scheme().equals("platform-http"))
        .allSatisfy(
            route -> {
              assertThat(route.from().options().get("path"))
                  .as(route.toString())
                  .matches("/admin/.+|/seckill/(\\{productId}|results?)");
              assertThat(route.steps().get(0).definition().toString())
                  .as(route.toString())
                  .doesNotContainIgnoringCase("Authorization");
            });
  }

  /** A parameter of the query is no header: the variable query holds those. */
  @Test
  void shouldKeepOfARequestOnlyItsHeadersAndThePartsOfItsPath() {
    assertThat(routes)
        .filteredOn(route -> route.from().scheme().equals("platform-http"))
        .filteredOn(route -> route.steps().get(0).definition().containsKey("excludePattern"))
        .isNotEmpty()
        .allSatisfy(
            route -> {
              String path = route.from().options().get("path").toString();
              String kept = route.steps().get(0).definition().get("excludePattern").toString();
              assertThat(kept.split("\\|"))
                  .as(route.toString())
                  .allMatch(
                      name -> REQUEST_HEADERS.contains(name) || path.contains("{" + name + "}"));
            });
  }

  @Test
  void shouldCommitKafkaOffsetsByHand() {
    assertThat(routes)
        .filteredOn(route -> route.from().scheme().equals("kafka"))
        .allSatisfy(
            route -> {
              assertThat(route.from().options())
                  .as(route.toString())
                  .containsEntry("autoCommitEnable", "false")
                  .containsEntry("allowManualCommit", "true")
                  .containsEntry("autoOffsetReset", "earliest")
                  .containsEntry("breakOnFirstError", "true")
                  .containsKeys("groupId", "maxPollRecords", "pollOnError")
                  .doesNotContainKey("kafkaManualCommitFactory");
              assertThat(route.from().options().get("pollOnError")).isNotEqualTo("ERROR_HANDLER");
              assertThat(route.nodes().map(Node::definition).map(Map::values).map(Object::toString))
                  .as("%s commits", route)
                  .anyMatch(values -> values.contains("commit("));
            });
  }

  @Test
  void shouldSendToKafkaDurably() {
    assertThat(endpoints())
        .filteredOn(endpoint -> endpoint.scheme().equals("kafka"))
        .allSatisfy(
            endpoint ->
                assertThat(endpoint.options())
                    .as(endpoint.toString())
                    .containsEntry("requestRequiredAcks", "all")
                    .containsEntry("enableIdempotence", "true"));
  }

  @Test
  void shouldUseRedisAndKafkaInFullModeOnly() {
    assertThat(routes)
        .filteredOn(
            route ->
                FULL_MODE_BEANS.matcher(route.definition().toString()).find()
                    || Stream.concat(
                            Stream.of(route.from()),
                            route.nodes().map(Node::endpoint).filter(Objects::nonNull))
                        .anyMatch(endpoint -> REDIS_AND_KAFKA.contains(endpoint.scheme())))
        .allSatisfy(
            route -> assertThat(route.folder()).as(route.toString()).isIn("full", "examples"));
  }

  @Test
  void shouldServeEachPathAndEachDirectEndpointOnceAMode() {
    for (String mode : List.of("full", "minimal")) {
      assertThat(routes)
          .filteredOn(route -> route.runsIn(mode))
          .filteredOn(route -> Set.of("direct", "platform-http").contains(route.from().scheme()))
          .extracting(
              route ->
                  route.from().scheme().equals("direct")
                      ? route.from().directName()
                      : route.from().options().get("httpMethodRestrict")
                          + " "
                          + route.from().options().get("path"))
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void shouldTakeStatementsFromFiles() {
    assertThat(endpoints())
        .filteredOn(endpoint -> endpoint.scheme().equals("sql"))
        .allSatisfy(
            endpoint -> {
              assertThat(endpoint.uri()).startsWith("sql:classpath:sql/").endsWith(".sql");
              assertThat(endpoint.options()).doesNotContainEntry("useMessageBodyForSql", "true");
            });
  }

  @Test
  void shouldNotBlockTheEventLoop() {
    Map<String, List<Route>> direct = direct();

    assertThat(routes)
        .filteredOn(route -> route.from().options().containsKey("platformHttpEngine"))
        .allSatisfy(
            route ->
                assertThat(blocking(route.steps(), direct, new HashSet<>()))
                    .as("nodes of %s that block the event loop", route)
                    .isEmpty());
  }

  /** Nodes that block, before the route goes on with a thread of a pool. */
  private static List<Node> blocking(
      List<Node> steps, Map<String, List<Route>> direct, Set<String> visited) {
    return steps.stream()
        .takeWhile(node -> !node.kind().equals("threads"))
        .flatMap(node -> blocking(node, direct, visited))
        .toList();
  }

  private static Stream<Node> blocking(
      Node node, Map<String, List<Route>> direct, Set<String> visited) {
    EndpointUse endpoint = node.endpoint();
    if (BLOCKING_EIPS.contains(node.kind())
        || endpoint != null && BLOCKING_COMPONENTS.contains(endpoint.scheme())) {
      return Stream.of(node);
    }
    Stream<Node> inside = blocking(node.steps(), direct, visited).stream();
    if (endpoint == null
        || !endpoint.scheme().equals("direct")
        || !visited.add(endpoint.directName())) {
      return inside;
    }
    List<Route> called = direct.get(endpoint.directName());
    assertThat(called).as("routes from direct:%s", endpoint.directName()).isNotEmpty();
    return Stream.concat(
        inside, called.stream().flatMap(it -> blocking(it.steps(), direct, visited).stream()));
  }

  private Stream<EndpointUse> endpoints() {
    return routes.stream().flatMap(Route::nodes).map(Node::endpoint).filter(Objects::nonNull);
  }
}
