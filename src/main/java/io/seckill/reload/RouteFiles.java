package io.seckill.reload;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.camel.CamelContext;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.spi.Resource;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceSupport;

/**
 * The files of the running routes, with the last text of each that started, to go back to. For one
 * thread at a time.
 */
final class RouteFiles {
  private final CamelContext context;
  private final Map<Path, String> taken = new TreeMap<>();

  RouteFiles(CamelContext context) {
    this.context = context;
  }

  /** Notes a file that was loaded at the application's start. */
  void startsWith(Path file) throws IOException {
    taken.put(file, Files.readString(file));
  }

  /** Whether a file differs from its last accepted text. */
  boolean isChanged(Path file) throws IOException {
    return !Files.readString(file).equals(taken.get(file));
  }

  /**
   * Replaces the routes of a file with those of its present text.
   *
   * @return their ids
   * @throws Exception when a route does not start; the previous routes then run again
   */
  Set<String> take(Path file) throws Exception {
    String text = Files.readString(file);
    try {
      Set<String> ids = update(file, text);
      taken.put(file, text);
      return ids;
    } catch (Exception e) {
      goBack(file, e);
      throw e;
    }
  }

  private void goBack(Path file, Exception reason) {
    try {
      String before = taken.get(file);
      end(file);
      if (before != null) {
        update(file, before);
        taken.put(file, before);
      }
    } catch (Exception e) {
      reason.addSuppressed(e);
    }
  }

  private Set<String> update(Path file, String text) throws Exception {
    Set<String> ids =
        PluginHelper.getRoutesLoader(context).updateRoutes(List.of(new Saved(file, text)));
    remove(file, ids);
    return ids;
  }

  /**
   * Ends the routes of a file.
   *
   * @return their ids
   */
  Set<String> end(Path file) throws Exception {
    taken.remove(file);
    return remove(file, Set.of());
  }

  private Set<String> remove(Path file, Set<String> except) throws Exception {
    ModelCamelContext model = (ModelCamelContext) context;
    Set<String> removed = new TreeSet<>();
    for (RouteDefinition route : List.copyOf(model.getRouteDefinitions())) {
      String id = route.getRouteId();
      if (isFrom(file, route.getResource()) && !except.contains(id)) {
        context.getRouteController().stopRoute(id);
        context.removeRoute(id);
        model.removeRouteDefinition(route);
        removed.add(id);
      }
    }
    return removed;
  }

  private static boolean isFrom(Path file, Resource resource) {
    return resource != null
        && resource.getScheme().equals("file")
        && Path.of(resource.getURI()).equals(file.toAbsolutePath());
  }

  /** The text of a file at the time it was read. */
  private static final class Saved extends ResourceSupport {
    private final Path file;
    private final String text;

    private Saved(Path file, String text) {
      super("file", "file:" + file);
      this.file = file;
      this.text = text;
    }

    @Override
    public boolean exists() {
      return true;
    }

    @Override
    public URI getURI() {
      return file.toUri();
    }

    @Override
    public InputStream getInputStream() {
      return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
  }
}
