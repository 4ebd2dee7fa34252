package io.seckill.web;

import io.seckill.answer.Answer;
import io.seckill.answer.Problem;
import io.seckill.answer.Refusals;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * The files of {@link Site}s that one address serves, with the contract and what each code of a
 * problem means. They are read from the class path, and compressed, once: no request names a file.
 * Pages may load nothing from elsewhere and run no inline code.
 */
public final class Pages {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  private static final String METHODS = "GET, HEAD";
  private static final Map<String, String> MEDIA_TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml; charset=utf-8",
          "json", "application/json",
          "yaml", "application/yaml");

  private final Map<String, Page> pages = new HashMap<>();

  /** What is answered to GET: to all, to those who take gzip, to those who have it already. */
  private record Page(Answer plain, Answer compressed, Answer unchanged, String tag) {}

  /**
   * @throws IllegalStateException when a file is not on the class path
   */
  public Pages(Site... sites) {
    for (Site site : sites) {
      site.resources()
          .forEach((path, resource) -> pages.computeIfAbsent(path, p -> load(resource)));
    }
    byte[] contract = read("openapi.yaml");
    pages.put("/openapi.yaml", page("yaml", contract));
    pages.put("/openapi.json", page("json", Contract.json(contract)));
    ProblemCodes.pages().forEach((path, html) -> pages.put(path, page("html", html)));
  }

  /** The answer to a request for one of the files; null when the path names none of them. */
  public Answer find(HttpServerRequest request) {
    Page page = pages.get(request.path());
    if (page == null) {
      return null;
    }
    HttpMethod method = request.method();
    if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
      return Problem.of(Refusals.ofServer(405)).with("Allow", METHODS);
    }
    String known = request.getHeader(HttpHeaders.IF_NONE_MATCH);
    if (known != null && known.contains(page.tag())) {
      return page.unchanged();
    }
    String codings = request.getHeader(HttpHeaders.ACCEPT_ENCODING);
    return codings != null && takesGzip(codings) ? page.compressed() : page.plain();
  }

  private static boolean takesGzip(String codings) {
    return Arrays.stream(codings.split(","))
        .map(String::strip)
        .anyMatch(coding -> coding.equalsIgnoreCase("gzip"));
  }

  private static Page load(String resource) {
    return page(resource.substring(resource.lastIndexOf('.') + 1), read(resource));
  }

  private static Page page(String extension, byte[] content) {
    // weak: the same for the plain and the compressed file
    String tag = "W/\"" + digest(content) + "\"";
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Security-Policy", POLICY);
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("Referrer-Policy", "no-referrer");
    headers.put("Cache-Control", "no-cache");
    headers.put("Vary", "Accept-Encoding");
    headers.put("ETag", tag);
    String type = MEDIA_TYPES.get(extension);
    if (type == null) {
      throw new IllegalStateException("No media type is known of ." + extension);
    }
    Answer plain = new Answer(200, type, headers, content);
    return new Page(
        plain,
        new Answer(200, type, headers, compress(content)).with("Content-Encoding", "gzip"),
        new Answer(304, type, headers, new byte[0]),
        tag);
  }

  private static byte[] read(String resource) {
    try (InputStream in = Pages.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        throw new IllegalStateException("Not on the class path: " + resource);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(resource, e);
    }
  }

  private static byte[] compress(byte[] content) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return compressed.toByteArray();
  }

  private static String digest(byte[] content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
      return HexFormat.of().formatHex(hash, 0, 12);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
