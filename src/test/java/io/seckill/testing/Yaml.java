package io.seckill.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** YAML as trees. A mapping that is merged in ({@code <<}) is there with its members. */
public final class Yaml {
  private static final String MERGE = "<<";

  private Yaml() {}

  /** The one document of a file. */
  public static JsonNode of(Path file) {
    try {
      return documents(Files.readString(file)).get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All documents of a text that hold something. */
  public static List<JsonNode> documents(String text) {
    ObjectMapper mapper = new ObjectMapper();
    List<JsonNode> documents = new ArrayList<>();
    for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
      if (Objects.nonNull(document)) {
        documents.add(mapper.valueToTree(merged(document)));
      }
    }
    return documents;
  }

  private static Object merged(Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(Yaml::merged).toList();
    } else if (value instanceof Map<?, ?> map) {
      Map<Object, Object> members = new LinkedHashMap<>();
      if (map.get(MERGE) != null) {
        members.putAll((Map<?, ?>) merged(map.get(MERGE)));
      }
      map.forEach((name, member) -> members.put(name, merged(member)));
      members.remove(MERGE);
      return members;
    }
    return value;
  }
}
