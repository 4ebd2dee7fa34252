package io.seckill;

import java.io.FileFilter;
import java.util.Arrays;
import java.util.List;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.MainListenerSupport;
import org.apache.camel.support.RouteWatcherReloadStrategy;
import org.apache.camel.util.AntPathMatcher;
import org.apache.camel.util.FileUtil;

/**
 * With live reload ({@code camel.main.routesReloadEnabled}), takes up the saved files that {@code
 * camel.main.routesIncludePattern} names and no others: a route of the other mode stays out.
 * Camel's own {@code routesReloadPattern} looks at file names alone, whatever folder they are in.
 */
final class LiveReload extends MainListenerSupport {
  private static final String FILE = "file:";

  @Override
  public void afterConfigure(BaseMainSupport base) {
    RouteWatcherReloadStrategy reload =
        base.getCamelContext().hasService(RouteWatcherReloadStrategy.class);
    if (reload != null) {
      reload.setFileFilter(
          included(
              base.getCamelContext()
                  .resolvePropertyPlaceholders("{{camel.main.routesIncludePattern}}")));
    }
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
}
