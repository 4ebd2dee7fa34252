package io.seckill.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A path with parameters, such as {@code /seckill/{productId}}. Where two templates match a path,
 * look at the first segment in which they differ: the template with the literal segment comes
 * first.
 */
final class PathTemplate implements Comparable<PathTemplate> {
  private final String text;
  private final String[] segments;
  private final boolean[] parameters;

  PathTemplate(String text) {
    if (!text.startsWith("/") || text.contains("*")) {
      throw new IllegalArgumentException("A path starts with / and contains no *: " + text);
    }
    this.text = text;
    List<String> names = new ArrayList<>(List.of(text.substring(1).split("/", -1)));
    this.segments = new String[names.size()];
    this.parameters = new boolean[names.size()];
    for (int i = 0; i < segments.length; i++) {
      String segment = names.get(i);
      parameters[i] = segment.startsWith("{") && segment.endsWith("}");
      segments[i] = parameters[i] ? segment.substring(1, segment.length() - 1) : segment;
    }
  }

  /** The path's parameters by name, or null when the path does not match. */
  Map<String, String> match(String path) {
    String single = null;
    String singleName = null;
    Map<String, String> values = null;
    int position = 0;
    for (int i = 0; i < segments.length; i++) {
      if (position >= path.length() || path.charAt(position) != '/') {
        return null;
      }
      int start = position + 1;
      int end = path.indexOf('/', start);
      if (end < 0) {
        end = path.length();
      }
      if (parameters[i]) {
        if (start == end) {
          return null;
        }
        String value = path.substring(start, end);
        if (single == null) {
          single = value;
          singleName = segments[i];
        } else {
          if (values == null) {
            values = new LinkedHashMap<>();
            values.put(singleName, single);
          }
          values.put(segments[i], value);
        }
      } else if (end - start != segments[i].length() || !path.startsWith(segments[i], start)) {
        return null;
      }
      position = end;
    }
    if (position != path.length()) {
      return null;
    }
    if (values != null) {
      return values;
    }
    return single == null ? Map.of() : Map.of(singleName, single);
  }

  @Override
  public int compareTo(PathTemplate other) {
    for (int i = 0; i < Math.min(segments.length, other.segments.length); i++) {
      if (parameters[i] != other.parameters[i]) {
        return parameters[i] ? 1 : -1;
      }
    }
    return text.compareTo(other.text);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PathTemplate template && template.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
