package io.seckill;

import java.util.Locale;
import java.util.Optional;
import org.apache.camel.spi.PropertiesComponent;

/**
 * The properties as a route's {@code {{name}}} sees them: system property, environment variable,
 * override, file, in this order.
 */
final class Settings {
  private static final int HIGHEST_PORT = 65_535;

  private final PropertiesComponent properties;

  Settings(PropertiesComponent properties) {
    this.properties = properties;
  }

  /** Empty when the property is absent or blank. */
  Optional<String> find(String name) {
    return properties.resolveProperty(name).filter(value -> !value.isBlank());
  }

  /**
   * @throws StartRefusedException when the property is absent or blank
   */
  String get(String name) {
    return find(name)
        .orElseThrow(() -> new StartRefusedException("The property " + name + " is not set."));
  }

  /**
   * @throws StartRefusedException when the property is neither of the two
   */
  String oneOf(String name, String first, String second) {
    String text = get(name);
    if (!text.equals(first) && !text.equals(second)) {
      throw new StartRefusedException(
          name + " must be " + first + " or " + second + ", not '" + text + "'.");
    }
    return text;
  }

  /**
   * @throws StartRefusedException when the property is no port number, 0 to 65535
   */
  int port(String name) {
    String text = get(name);
    try {
      int port = Integer.parseInt(text);
      if (port >= 0 && port <= HIGHEST_PORT) {
        return port;
      }
      throw new StartRefusedException(name + " must be a port number, not " + text + ".");
    } catch (NumberFormatException e) {
      throw new StartRefusedException(name + " must be a port number, not '" + text + "'.", e);
    }
  }

  /** The environment variable that overrides a property. */
  static String environmentName(String property) {
    return property.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /** An address without the user and password it may carry. */
  static String withoutPassword(String address) {
    return address
        .replaceAll("//[^/@]*@", "//***@")
        .replaceAll("(?i)password=[^&]*", "password=***");
  }
}
