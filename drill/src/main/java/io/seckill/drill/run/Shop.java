package io.seckill.drill.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.seckill.drill.history.Answer;
import io.seckill.drill.lab.Application;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** An HTTP client of one node. */
final class Shop {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(1))
          .build();

  /** An answer to an administrator; status 0 when none came. */
  record Reply(int status, JsonNode body) {
    boolean isOk() {
      return status >= 200 && status < 300;
    }

    /** The code of a refusal; null when it has none. */
    String code() {
      return Shop.text(body, "code");
    }
  }

  private final String baseUrl;

  Shop(String baseUrl) {
    this.baseUrl = baseUrl;
  }

  Answer buy(long productId, long userId, String key, int quantity, Duration patience) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(baseUrl + "/seckill/" + productId))
            .timeout(patience)
            .header("X-User-Id", Long.toString(userId))
            .header("Idempotency-Key", key)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"quantity\":" + quantity + "}"))
            .build();
    return answer(send(request));
  }

  Answer look(long productId, String key, long asker, Duration patience) {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(baseUrl + "/seckill/result?idemKey=" + key + "&productId=" + productId))
            .timeout(patience)
            .header("X-User-Id", Long.toString(asker))
            .GET()
            .build();
    return answer(send(request));
  }

  /** Asks by requestId, which another user may have seen somewhere. */
  Answer lookByRequestId(String requestId, long asker, Duration patience) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(baseUrl + "/seckill/result?requestId=" + requestId))
            .timeout(patience)
            .header("X-User-Id", Long.toString(asker))
            .GET()
            .build();
    return answer(send(request));
  }

  Reply admin(String method, String path, Map<String, ?> body) {
    return admin(method, path, body, null);
  }

  Reply admin(String method, String path, Map<String, ?> body, String idemKey) {
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(baseUrl + path))
              .timeout(Duration.ofSeconds(20))
              .header("Authorization", "Bearer " + Application.ADMIN_TOKEN)
              .header("Content-Type", "application/json")
              .method(
                  method,
                  body == null
                      ? HttpRequest.BodyPublishers.noBody()
                      : HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
      if (idemKey != null) {
        request.header("Idempotency-Key", idemKey);
      }
      return send(request.build());
    } catch (IOException e) {
      throw new IllegalArgumentException("Not JSON: " + body, e);
    }
  }

  /** What a node thinks of a sale's book; empty when no answer came. */
  String admission(long productId) {
    for (JsonNode sale : admin("GET", "/admin/sales", null).body().path("sales")) {
      if (sale.path("productId").asLong() == productId) {
        return sale.path("admission").asText();
      }
    }
    return "";
  }

  /** The text at a path; empty when no answer came. */
  String text(String path) {
    try {
      HttpResponse<String> response =
          CLIENT.send(
              HttpRequest.newBuilder(URI.create(baseUrl + path))
                  .timeout(Duration.ofSeconds(5))
                  .GET()
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      return response.statusCode() == 200 ? response.body() : "";
    } catch (IOException noAnswer) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private static Reply send(HttpRequest request) {
    try {
      HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
      String text = response.body();
      return new Reply(
          response.statusCode(),
          text == null
                  || text.isBlank()
                  || !text.stripLeading().startsWith("{") && !text.stripLeading().startsWith("[")
              ? MissingNode.getInstance()
              : JSON.readTree(text));
    } catch (IOException noAnswer) {
      return new Reply(0, MissingNode.getInstance());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Reply(0, MissingNode.getInstance());
    }
  }

  private static Answer answer(Reply reply) {
    JsonNode body = reply.body();
    boolean reserved = reply.status() == 200 || reply.status() == 202;
    return new Answer(
        reply.status(),
        text(body, "code"),
        reserved ? text(body, "status") : null,
        reserved ? text(body, "requestId") : null,
        reserved ? text(body, "orderId") : null);
  }

  private static String text(JsonNode body, String name) {
    JsonNode value = body.path(name);
    return value.isValueNode() && !value.isNull() && !value.asText().isEmpty()
        ? value.asText()
        : null;
  }
}
