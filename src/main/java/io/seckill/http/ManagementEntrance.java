package io.seckill.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.auth.authentication.AuthenticationProvider;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.AuthenticationHandler;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpServerConfiguration;
import org.apache.camel.component.platform.http.vertx.auth.AuthenticationConfig;
import org.apache.camel.component.platform.http.vertx.auth.AuthenticationConfig.AuthenticationConfigEntry;

/**
 * The first handler of the management server. It checks the host name; of requests for Jolokia also
 * the page they come from, then the token where one is asked for.
 */
final class ManagementEntrance implements AuthenticationHandler {
  private final AllowedHosts hosts;
  private final AllowedOrigins origins;
  private final JolokiaGuard guard;
  private final String jolokia;

  /**
   * @param jolokia where Jolokia is, as in {@code camel.management.jolokiaPath}
   * @param guard null to ask for no token
   */
  ManagementEntrance(
      AllowedHosts hosts, AllowedOrigins origins, JolokiaGuard guard, String jolokia) {
    this.hosts = hosts;
    this.origins = origins;
    this.guard = guard;
    this.jolokia = jolokia;
  }

  @Override
  public void handle(RoutingContext routing) {
    HttpServerRequest request = routing.request();
    if (!hosts.admit(request)) {
      return;
    }
    if (!isJolokia(routing.normalizedPath())) {
      routing.next();
    } else if (origins.admit(request)) { // before the token, which a preflight does not carry
      if (guard == null) {
        routing.next();
      } else {
        guard.judge(request, routing::next);
      }
    }
  }

  private boolean isJolokia(String path) {
    return path.equals(jolokia) || path.startsWith(jolokia + "/");
  }

  /**
   * Lets it be the first of all handlers: Camel installs those that authenticate before the server
   * listens, others only afterwards.
   */
  void install(VertxPlatformHttpServerConfiguration server) {
    AuthenticationHandler entrance = this;
    AuthenticationConfigEntry entry = new AuthenticationConfigEntry();
    entry.setPath("/*");
    entry.setAuthenticationProviderFactory(vertx -> null);
    entry.setAuthenticationHandlerFactory(
        new AuthenticationConfig.AuthenticationHandlerFactory() {
          @Override
          public <T extends AuthenticationProvider>
              AuthenticationHandler createAuthenticationHandler(T provider) {
            return entrance;
          }
        });
    AuthenticationConfig authentication = server.getAuthenticationConfig();
    authentication.getEntries().add(entry);
    authentication.setEnabled(true);
  }
}
