package io.seckill.rules;

import io.seckill.rules.YamlRoutes.EndpointUse;
import io.seckill.rules.YamlRoutes.Route;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Draws routes, where they begin and whom they call, as Mermaid flowcharts. */
final class RouteDrawing {
  private RouteDrawing() {}

  /** The whole page: a chart for each folder of routes, and in it a box for each file. */
  static String page(List<Route> routes) {
    StringBuilder page =
        new StringBuilder(
            """
            # Routes

            Made from the files in `src/main/routes`. A rectangle is a route; its file has the same name, or the name of the box around it. A rounded
            node is where a route begins. An arrow is a `direct:` call or a message.
            """);
    Map<String, List<Route>> folders =
        routes.stream()
            .collect(Collectors.groupingBy(Route::folder, TreeMap::new, Collectors.toList()));
    folders.forEach(
        (folder, inside) ->
            page.append("\n## ").append(folder).append("\n\n").append(chart(inside, routes)));
    return page.toString();
  }

  private static String chart(List<Route> inside, List<Route> all) {
    Map<String, List<Route>> direct =
        all.stream()
            .filter(route -> route.from().scheme().equals("direct"))
            .collect(Collectors.groupingBy(route -> route.from().directName()));
    Map<String, List<Route>> files =
        inside.stream()
            .collect(Collectors.groupingBy(Route::stem, LinkedHashMap::new, Collectors.toList()));
    StringBuilder boxes = new StringBuilder("```mermaid\nflowchart LR\n");
    files.forEach(
        (file, routes) -> {
          String indent = routes.size() > 1 ? "    " : "  ";
          if (routes.size() > 1) {
            boxes.append("  subgraph file-%s[%s]\n".formatted(file, file));
          }
          routes.forEach(
              route -> boxes.append("%s%s[%s]\n".formatted(indent, route.id(), route.id())));
          if (routes.size() > 1) {
            boxes.append("  end\n");
          }
        });
    Set<String> arrows = new LinkedHashSet<>();
    for (Route route : inside) {
      if (!route.from().scheme().equals("direct")) {
        arrows.add("  %s --> %s\n".formatted(outside(route.from()), route.id()));
      }
      route
          .nodes()
          .map(YamlRoutes.Node::endpoint)
          .filter(Objects::nonNull)
          .forEach(
              endpoint -> {
                if (endpoint.scheme().equals("direct")) {
                  direct.getOrDefault(endpoint.directName(), List.of()).stream()
                      .map(called -> "  %s --> %s\n".formatted(route.id(), called.id()))
                      .forEach(arrows::add);
                } else if (Set.of("kafka", "seda").contains(endpoint.scheme())) {
                  arrows.add("  %s --> %s\n".formatted(route.id(), outside(endpoint)));
                }
              });
    }
    arrows.forEach(boxes::append);
    return boxes.append("```\n").toString();
  }

  /** What is no route: a path, a topic, a queue, a timer. */
  private static String outside(EndpointUse endpoint) {
    String label =
        switch (endpoint.scheme()) {
          case "platform-http" ->
              endpoint.options().get("httpMethodRestrict") + " " + endpoint.options().get("path");
          case "timer" -> "timer";
          default -> endpoint.uri();
        };
    String id =
        "timer".equals(label)
            ? endpoint.uri().replace(':', '-')
            : label.replaceAll("[^A-Za-z0-9]+", "-");
    return "%s([\"%s\"])".formatted(id, label.replace("{{", "").replace("}}", ""));
  }
}
