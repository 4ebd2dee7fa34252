package io.seckill.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.testing.EventReader;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Tokens that {@code bin/admin-token} made, against every administrative call of the contract. */
class RolesIT {
  private static final List<String> ROLES = List.of("view", "operate", "admin");
  private static final Map<String, String> TOKENS = new LinkedHashMap<>();

  private static TestApplication application;

  @BeforeAll
  static void start() throws Exception {
    List<String> entries = new ArrayList<>();
    for (String role : ROLES) {
      Map<String, String> made = make("the-" + role, role);
      TOKENS.put(role, made.get("token"));
      entries.add(made.get("entry"));
    }
    application = TestApplication.start(Map.of("seckill.admin.tokens", String.join(",", entries)));
    application.awaitReady();
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  private static Map<String, String> make(String name, String role) throws Exception {
    Process process =
        new ProcessBuilder(Path.of("bin", "admin-token").toString(), name, role)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Map<String, String> made = new LinkedHashMap<>();
    try (InputStream out = process.getInputStream()) {
      new String(out.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .forEach(line -> made.put(line.split(": ")[0], line.split(": ")[1]));
    }
    assertThat(process.waitFor()).isZero();
    return made;
  }

  private static Shop with(String role) {
    return new Shop(application.baseUrl(), TOKENS.get(role));
  }

  @TestFactory
  Stream<DynamicTest> shouldAllowEachRoleWhatTheContractSays() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    operations()
        .forEach(
            (call, needed) ->
                ROLES.forEach(
                    role ->
                        tests.add(
                            dynamicTest(role + " " + call, () -> judge(role, call, needed)))));
    assertThat(tests).hasSizeGreaterThan(3 * 15);
    return tests.stream();
  }

  /** The product is unknown and no body is valid, so that what is allowed changes nothing. */
  private static void judge(String role, String call, String needed) {
    String[] parts = call.split(" ");
    String path = parts[1].replaceAll("\\{[^}]*}", Long.toString(Products.next()));
    if (path.equals("/admin/events")) {
      // an endless answer
      try (EventReader events = EventReader.open(application.baseUrl(), TOKENS.get(role), "")) {
        assertThat(events.status()).isEqualTo(200);
      }
      return;
    }
    Reply reply = with(role).admin(parts[0], path, parts[0].equals("GET") ? null : Map.of("x", 1));
    if (ROLES.indexOf(role) < ROLES.indexOf(needed)) {
      assertThat(reply.status()).isEqualTo(403);
      assertThat(reply.code()).isEqualTo("FORBIDDEN");
      assertThat(reply.member("needed")).isEqualTo(needed);
      assertThat(reply.member("role")).isEqualTo(role);
      assertThat(reply.text()).doesNotContain(TOKENS.get(role));
    } else {
      assertThat(reply.status()).isNotIn(401, 403, 405, 500);
    }
  }

  /** Method and path of every administrative call, with the role that the contract names. */
  @SuppressWarnings("unchecked")
  private static Map<String, String> operations() throws IOException {
    Map<String, Object> contract =
        (Map<String, Object>)
            new Load(LoadSettings.builder().build())
                .loadFromString(
                    Files.readString(Path.of("src", "main", "resources", "openapi.yaml")));
    Map<String, String> roles = new LinkedHashMap<>();
    ((Map<String, Map<String, Object>>) contract.get("paths"))
        .forEach(
            (path, item) ->
                item.forEach(
                    (method, operation) -> {
                      if (path.startsWith("/admin") && !method.equals("parameters")) {
                        roles.put(
                            method.toUpperCase(Locale.ROOT) + " " + path,
                            (String) ((Map<String, Object>) operation).get("x-role"));
                      }
                    }));
    assertThat(roles.values()).isSubsetOf(ROLES);
    return roles;
  }

  @Test
  void shouldTellWhoOneIs() {
    for (String role : ROLES) {
      Reply me = with(role).admin("GET", "/admin/me", null);
      assertThat(me.text()).isEqualTo("{\"name\":\"the-" + role + "\",\"role\":\"" + role + "\"}");
    }
    Reply shared = application.shop().admin("GET", "/admin/me", null);
    assertThat(shared.text()).isEqualTo("{\"name\":\"admin\",\"role\":\"admin\"}");
  }

  @Test
  void shouldWriteWhoDidWhatFromWhereAndWhatItChanged() {
    long product = Products.next();
    with("admin").createSale(product, Map.of("name", "Phone", "stock", 5));
    with("admin").admin("PATCH", "/admin/sales/" + product, Map.of("ratePerSecond", 20));
    with("operate").admin("POST", "/admin/sales/" + product + "/pause", null);
    with("operate")
        .admin("POST", "/admin/sales/" + product + "/restock", Map.of("units", 3), "more");

    JsonNode page = audit("?productId=" + product);
    assertThat(page.path("next").isNull()).isTrue();
    List<JsonNode> rows = new ArrayList<>();
    page.path("entries").forEach(rows::add);
    assertThat(rows)
        .extracting(row -> row.path("action").asText() + " " + row.path("by").asText())
        .containsExactly(
            "RESTOCK the-operate", "STATE_PAUSED the-operate", "PATCH the-admin", "PUT the-admin");
    assertThat(rows)
        .allSatisfy(
            row -> {
              assertThat(row.path("from").asText()).isEqualTo("127.0.0.1");
              assertThat(row.path("at").asLong()).isPositive();
              assertThat(row.path("detail").path("productId").asLong()).isEqualTo(product);
            });
    JsonNode put = rows.get(3);
    assertThat(put.path("before").isNull()).isTrue();
    assertThat(put.path("after").path("stock").asInt()).isEqualTo(5);
    JsonNode patch = rows.get(2);
    assertThat(patch.path("before").path("ratePerSecond").isNull()).isTrue();
    assertThat(patch.path("after").path("ratePerSecond").asInt()).isEqualTo(20);
    JsonNode pause = rows.get(1);
    assertThat(pause.path("before").path("state").asText()).isEqualTo("OPEN");
    assertThat(pause.path("after").path("state").asText()).isEqualTo("PAUSED");
    JsonNode restock = rows.get(0);
    assertThat(restock.path("before").path("restocked").asInt()).isZero();
    assertThat(restock.path("after").path("restocked").asInt()).isEqualTo(3);
  }

  @Test
  void shouldShowTheAuditPageByPage() {
    long product = Products.next();
    with("admin").createSale(product, Map.of("name", "Phone", "stock", 5));
    for (String state : List.of("pause", "resume", "pause", "resume")) {
      with("operate").admin("POST", "/admin/sales/" + product + "/" + state, null);
    }
    List<String> seen = new ArrayList<>();
    String before = "";
    do {
      JsonNode page = audit("?limit=2&productId=" + product + before);
      page.path("entries").forEach(row -> seen.add(row.path("action").asText()));
      before = page.path("next").isNull() ? null : "&before=" + page.path("next").asLong();
    } while (before != null);
    assertThat(seen)
        .containsExactly("STATE_OPEN", "STATE_PAUSED", "STATE_OPEN", "STATE_PAUSED", "PUT");

    JsonNode all = audit("?limit=3");
    assertThat(all.path("entries")).hasSize(3);
    assertThat(all.path("next").asLong()).isPositive();
    for (String query : List.of("?limit=0", "?limit=501", "?before=x", "?productId=-1")) {
      assertThat(with("view").admin("GET", "/admin/audit" + query, null).status())
          .as(query)
          .isEqualTo(400);
    }
  }

  private static JsonNode audit(String query) {
    Reply reply = with("view").admin("GET", "/admin/audit" + query, null);
    assertThat(reply.status()).isEqualTo(200);
    return reply.json();
  }
}
