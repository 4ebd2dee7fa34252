package io.seckill.http;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.User;
import io.vertx.ext.auth.authentication.AuthenticationProvider;
import io.vertx.ext.auth.authentication.Credentials;
import io.vertx.ext.auth.authentication.UsernamePasswordCredentials;
import io.vertx.ext.web.handler.AuthenticationHandler;
import io.vertx.ext.web.handler.BasicAuthHandler;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpServerConfiguration;
import org.apache.camel.component.platform.http.vertx.auth.AuthenticationConfig;
import org.apache.camel.component.platform.http.vertx.auth.AuthenticationConfig.AuthenticationConfigEntry;

/**
 * Asks callers of Jolokia for the token of {@code seckill.management.token}. Callers use HTTP
 * Basic, which Hawtio supports, with user {@value #USER} and the token as password. Health and
 * metrics stay open for probes and Prometheus.
 */
public final class JolokiaGuard {
  /** The only user. */
  public static final String USER = "admin";

  private static final String REALM = "seckill-jolokia";

  private JolokiaGuard() {}

  /**
   * Protects Jolokia.
   *
   * @param path where Jolokia is, as in {@code camel.management.jolokiaPath}
   * @param token not the admin token
   * @throws IllegalArgumentException when the token is blank
   */
  public static void protect(
      VertxPlatformHttpServerConfiguration server, String path, String token) {
    SharedSecret secret = new SharedSecret(token);
    AuthenticationConfigEntry entry = new AuthenticationConfigEntry();
    // the same pattern as Camel's route, so that both match the same paths
    entry.setPath(path + "/*");
    entry.setAuthenticationProviderFactory(vertx -> provider(secret));
    entry.setAuthenticationHandlerFactory(
        new AuthenticationConfig.AuthenticationHandlerFactory() {
          @Override
          public <T extends AuthenticationProvider>
              AuthenticationHandler createAuthenticationHandler(T provider) {
            return BasicAuthHandler.create(provider, REALM);
          }
        });
    AuthenticationConfig authentication = server.getAuthenticationConfig();
    authentication.getEntries().add(entry);
    authentication.setEnabled(true);
  }

  private static AuthenticationProvider provider(SharedSecret secret) {
    return new AuthenticationProvider() {
      @Override
      @Deprecated
      public void authenticate(JsonObject credentials, Handler<AsyncResult<User>> result) {
        authenticate(new UsernamePasswordCredentials(credentials)).onComplete(result);
      }

      @Override
      public Future<User> authenticate(Credentials credentials) {
        return credentials instanceof UsernamePasswordCredentials shown
                && USER.equals(shown.getUsername())
                && secret.matches(shown.getPassword())
            ? Future.succeededFuture(User.fromName(USER))
            : Future.failedFuture("Unknown user or password");
      }
    };
  }
}
