package io.seckill;

import java.util.Locale;
import java.util.Optional;
import org.apache.camel.spi.PropertiesComponent;

/**
 * The properties as a route's {@code {{name}}} sees them: system property, environment, override,
 * file.
 */
final class Settings {
  private final PropertiesComponent properties;

  Settings(PropertiesComponent properties) {
    this.properties = properties;
  }

  Optional<String> find(String name) {
    return properties.resolveProperty(name).filter(value -> !value.isBlank());
  }

  String get(String name) {
    return find(name)
        .orElseThrow(() -> new StartRefusedException("The property " + name + " is not set."));
  }

  static String environmentName(String property) {
    return property.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }
}
