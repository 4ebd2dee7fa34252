package io.seckill.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.http.RawHttp;
import io.seckill.testing.TestApplication;
import java.net.URI;
import java.util.List;
import org.apache.camel.component.platform.http.PlatformHttpEndpoint;
import org.junit.jupiter.api.Test;

/** Every administrative route there is, reached over a socket. */
class AdminTokenIT {
  private final TestApplication application = TestApplication.shared();

  @Test
  void shouldBeAskedForByEveryAdministrativeRoute() throws Exception {
    List<PlatformHttpEndpoint> routes =
        application.camelContext().getEndpoints().stream()
            .filter(PlatformHttpEndpoint.class::isInstance)
            .map(PlatformHttpEndpoint.class::cast)
            .filter(endpoint -> endpoint.getPath().startsWith("/admin"))
            .toList();
    assertThat(routes).hasSizeGreaterThan(12);
    String token = application.adminToken();
    for (PlatformHttpEndpoint route : routes) {
      String method = route.getHttpMethodRestrict();
      String path = route.getPath().replaceAll("\\{[^}]*}", "1");
      for (String target : List.of(path, path + "?Authorization=Bearer%20" + token)) {
        assertThat(send(method, target, "", ""))
            .as("%s %s", method, target)
            .startsWith("HTTP/1.1 401 ")
            .contains("\"code\":\"UNAUTHENTICATED\"");
      }
      assertThat(
              send(
                  method,
                  path,
                  "Content-Type: application/x-www-form-urlencoded\r\n",
                  "Authorization=Bearer+" + token))
          .as("%s %s", method, path)
          .startsWith("HTTP/1.1 401 ");
      assertThat(send(method, path, "Authorization: Bearer " + token + "\r\n", ""))
          .as("%s %s", method, path)
          .doesNotStartWith("HTTP/1.1 401 ");
    }
  }

  private String send(String method, String target, String headers, String body) throws Exception {
    return RawHttp.exchange(
        URI.create(application.baseUrl()).getPort(),
        method
            + " "
            + target
            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
            + body.length()
            + "\r\n"
            + headers
            + "\r\n"
            + body);
  }
}
