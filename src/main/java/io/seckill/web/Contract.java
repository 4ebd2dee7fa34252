package io.seckill.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The contract in its other form. */
final class Contract {
  private Contract() {}

  /** The same document as JSON. */
  static byte[] json(byte[] yaml) {
    Object document =
        new Load(LoadSettings.builder().build())
            .loadFromInputStream(new ByteArrayInputStream(yaml));
    try {
      return new JsonMapper().writeValueAsBytes(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The contract cannot be written as JSON", e);
    }
  }
}
