package io.seckill;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.CamelConfiguration;
import org.apache.camel.CamelContext;
import org.apache.camel.Configuration;
import org.apache.camel.RoutesBuilder;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.MainListenerSupport;
import org.apache.camel.spi.PackageScanClassResolver;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.scan.PackageScanHelper;

/**
 * Loads beans and Java routes from the packages that {@code seckill.team.packages} names: classes
 * with {@code @BindToRegistry}, classes with {@code @Configuration} and the beans they make, and
 * RouteBuilders. It runs after the application's own beans are bound.
 */
final class TeamPackages extends MainListenerSupport {
  private static final String PACKAGES = "seckill.team.packages";

  @Override
  public void afterConfigure(BaseMainSupport base) {
    CamelContext context = base.getCamelContext();
    Set<String> packages =
        Stream.of(
                new Settings(context.getPropertiesComponent()).find(PACKAGES).orElse("").split(","))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    if (packages.isEmpty()) {
      return;
    }
    String[] names = packages.toArray(String[]::new);
    PackageScanClassResolver scanner = PluginHelper.getPackageScanClassResolver(context);
    Set<Class<?>> configurations = scanner.findAnnotated(Configuration.class, names);
    Set<Class<?>> routes = scanner.findImplementations(RoutesBuilder.class, names);
    PackageScanHelper.registerBeans(context, packages);
    try {
      for (Class<?> type : configurations) {
        if (context.getInjector().newInstance(type) instanceof CamelConfiguration configuration) {
          configuration.configure(context);
        }
      }
      for (Class<?> type : routes) {
        context.addRoutes((RoutesBuilder) context.getInjector().newInstance(type));
      }
    } catch (Exception e) {
      throw new IllegalStateException("Cannot load the packages of " + PACKAGES, e);
    }
  }
}
