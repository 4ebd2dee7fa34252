package io.seckill.reload;

import io.seckill.health.ProbeHealthCheck;
import io.seckill.health.Probes.Reading;
import io.seckill.redis.ScriptRunner;
import java.io.FileFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.health.HealthCheckRegistry;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.MainListenerSupport;
import org.apache.camel.support.FileWatcherResourceReloadStrategy;
import org.apache.camel.support.RouteWatcherReloadStrategy;
import org.apache.camel.util.AntPathMatcher;
import org.apache.camel.util.FileUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Live reload ({@code camel.main.routesReloadEnabled}): applies files of the working tree when they
 * are saved. It reloads the route files that {@code camel.main.routesIncludePattern} names, so
 * routes of the other mode stay out, and the statements and scripts.
 *
 * <p>When the routes of a saved file do not start, the previous routes go on, and the health says
 * why. Saving the file, or a statement or script that it uses, tries again. Deleting a file ends
 * its routes. Camel's own reload would drop both the old and the new routes, and only log it.
 */
public final class LiveReload extends MainListenerSupport {
  private static final Logger LOG = LoggerFactory.getLogger(LiveReload.class);

  private static final String FILE = "file:";
  private static final Path STATEMENTS = Path.of("sql");
  private static final Path SCRIPTS = Path.of("lua");
  private static final String SCRIPT_SUFFIX = ".lua";

  /** The refused files, and why. */
  private final Map<Path, String> refused = new TreeMap<>();

  private CamelContext context;
  private Path folder;
  private FileFilter included;
  private RouteFiles routes;

  @Override
  public void afterConfigure(BaseMainSupport base) {
    context = base.getCamelContext();
    RouteWatcherReloadStrategy reload = context.hasService(RouteWatcherReloadStrategy.class);
    if (reload == null) {
      return;
    }
    folder = Path.of(reload.getFolder());
    included = included(context.resolvePropertyPlaceholders("{{camel.main.routesIncludePattern}}"));
    routes = new RouteFiles(context);
    try {
      for (Path file : routeFiles()) {
        routes.startsWith(file);
      }
      context.setApplicationContextClassLoader(
          new WorkingTree(
              context.getApplicationContextClassLoader(), List.of(STATEMENTS, SCRIPTS)));
      reload.setFileFilter(included);
      reload.setResourceReload((name, resource) -> routesSaved(Path.of(name)));
      watch(STATEMENTS, ".sql");
      watch(SCRIPTS, SCRIPT_SUFFIX);
    } catch (Exception e) {
      throw new IllegalStateException("Cannot watch the working tree", e);
    }
    ProbeHealthCheck check = new ProbeHealthCheck("live-reload", false, this::reading);
    check.setCamelContext(context);
    HealthCheckRegistry.get(context).register(check);
  }

  private static FileFilter included(String patterns) {
    AntPathMatcher matcher = new AntPathMatcher();
    List<String> ofFiles =
        Arrays.stream(patterns.split(","))
            .filter(pattern -> pattern.startsWith(FILE))
            .map(pattern -> pattern.substring(FILE.length()))
            .toList();
    return file -> {
      String path = FileUtil.compactPath(file.getPath(), '/');
      return ofFiles.stream().anyMatch(pattern -> matcher.match(pattern, path));
    };
  }

  private List<Path> routeFiles() throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      return tree.filter(file -> included.accept(file.toFile())).sorted().toList();
    }
  }

  private void watch(Path watched, String suffix) throws Exception {
    FileWatcherResourceReloadStrategy watch =
        new FileWatcherResourceReloadStrategy(watched.toString(), true);
    watch.setFileFilter(file -> file.getName().endsWith(suffix));
    watch.setResourceReload((name, resource) -> statementSaved(Path.of(name)));
    context.addService(watch);
  }

  private synchronized void routesSaved(Path file) {
    try {
      if (!Files.exists(file)) {
        refused.remove(file);
        LOG.info("{} is deleted; its routes have ended: {}", file, routes.end(file));
      } else if (routes.isChanged(file)) {
        take(file);
      } else if (refused.remove(file) != null) {
        LOG.info("{} is again as it was", file);
      }
    } catch (Exception e) {
      refuse(file, e);
    }
  }

  /**
   * Restarts the routes that use the file, because routes read statements and scripts at their
   * start.
   */
  private synchronized void statementSaved(Path file) {
    try {
      String mention = file.toString().replace('\\', '/');
      if (mention.endsWith(SCRIPT_SUFFIX)) {
        String script = file.getFileName().toString().replace(SCRIPT_SUFFIX, "");
        context.getRegistry().findSingleByType(ScriptRunner.class).reload(script);
        mention = "redis-script:" + script;
      }
      refused.remove(file);
      LOG.info("Took {}", file);
      for (Path route : namedIn(mention)) {
        take(route);
      }
    } catch (Exception e) {
      refuse(file, e);
    }
  }

  private List<Path> namedIn(String mention) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path file : routeFiles()) {
      if (Files.readAllLines(file).stream().anyMatch(line -> line.strip().endsWith(mention))) {
        files.add(file);
      }
    }
    return files;
  }

  private void take(Path file) {
    try {
      Set<String> ids = routes.take(file);
      refused.remove(file);
      LOG.info("Took {}: {}", file, ids);
    } catch (Exception e) {
      refuse(file, e);
    }
  }

  private void refuse(Path file, Exception failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    String reason = String.valueOf(cause.getMessage()).replaceAll("\\s+", " ").strip();
    for (Throwable alsoFailed : failure.getSuppressed()) {
      reason += "; what was before it does not start again: " + alsoFailed.getMessage();
    }
    refused.put(file, reason);
    LOG.error("{} is not taken, what was before it goes on: {}", file, reason);
    LOG.debug("Where it came from:", failure);
  }

  private synchronized Reading reading() {
    return refused.isEmpty()
        ? new Reading(true, "what was saved is taken")
        : new Reading(
            false,
            refused.entrySet().stream()
                .map(entry -> entry.getKey().getFileName() + " is not taken: " + entry.getValue())
                .collect(Collectors.joining("; ")));
  }
}
