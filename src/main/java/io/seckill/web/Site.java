package io.seckill.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A page for people with all its files: fixed lists of paths and of what the class path holds. */
public enum Site {
  /** Where administrators run their sales. */
  CONSOLE(
      "/console",
      "web/console/",
      List.of(
          "console.css",
          "console.js",
          "acts.js",
          "api.js",
          "audit.js",
          "chart.js",
          "en.js",
          "letters.js",
          "live.js",
          "orders.js",
          "rates.js",
          "sale.js",
          "sales.js",
          "state.js",
          "terms.js",
          "ui.js",
          "words.js",
          "zh.js"),
      Map.of(
          "preact/preact.umd.js", webjar("preact/10.26.4/dist/preact.umd.js"),
          "preact/hooks.umd.js", webjar("preact/10.26.4/hooks/dist/hooks.umd.js"),
          "htm/htm.umd.js", "META-INF/resources/_static/htm/3.1.1/dist/htm.umd.js",
          "uplot/uPlot.iife.min.js", webjar("uplot/1.6.30/dist/uPlot.iife.min.js"),
          "uplot/uPlot.min.css", webjar("uplot/1.6.30/dist/uPlot.min.css"))),

  /** A shop to try a sale in, and the sample code for front ends. */
  DEMO(
      "/demo",
      "web/demo/",
      List.of("shop.css", "shop.js", "crowd.js", "words.js", "en.js", "zh.js"),
      Map.of()),

  /** The contract, to read and to try calls. */
  OPENAPI(
      "/openapi",
      "web/openapi/",
      List.of("openapi.js"),
      Map.of(
          "swagger-ui/swagger-ui.css", webjar("swagger-ui/5.34.1/swagger-ui.css"),
          "swagger-ui/swagger-ui-bundle.js", webjar("swagger-ui/5.34.1/swagger-ui-bundle.js")));

  private final Map<String, String> resources = new LinkedHashMap<>();

  /**
   * @param folder of the page, {@code index.html}, and of its files
   * @param libraries the resource of each file below {@code /web/lib/}
   */
  Site(String path, String folder, List<String> files, Map<String, String> libraries) {
    resources.put(path, folder + "index.html");
    files.forEach(file -> resources.put(path + "/" + file, folder + file));
    libraries.forEach((file, resource) -> resources.put("/web/lib/" + file, resource));
    for (String common : List.of("common.css", "icon.svg")) {
      resources.put("/web/common/" + common, "web/common/" + common);
    }
  }

  private static String webjar(String file) {
    return "META-INF/resources/webjars/" + file;
  }

  /** The class path resource of each path. */
  Map<String, String> resources() {
    return resources;
  }
}
