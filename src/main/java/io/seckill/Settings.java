package io.seckill;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.camel.spi.PropertiesComponent;

/**
 * The properties as a route's {@code {{name}}} sees them: system property, environment variable,
 * override, file, in this order.
 */
final class Settings {
  private static final String PREFIX = "seckill.";
  private static final int HIGHEST_PORT = 65_535;
  private static final Pattern REFERENCE = Pattern.compile("\\{\\{(.+)}}");

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

  /** Whether a property has a value that is not the default, another property's. */
  boolean isGiven(String name) {
    Optional<String> value = find(name);
    Matcher reference = REFERENCE.matcher(inFiles(name::equals).getProperty(name, ""));
    return value.isPresent() && !(reference.matches() && value.equals(find(reference.group(1))));
  }

  /** The names of all properties of the application that have a default. */
  Set<String> names() {
    return inFiles(name -> name.startsWith(PREFIX)).stringPropertyNames();
  }

  private Properties inFiles(Predicate<String> names) {
    return properties.loadProperties(names);
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
   * @throws StartRefusedException when the property is not a path, or the locale cannot express it
   */
  Path path(String name) {
    try {
      return Path.of(get(name));
    } catch (InvalidPathException e) {
      throw new StartRefusedException(
          name
              + " is not a path in this locale, whose character set is "
              + System.getProperty("sun.jnu.encoding")
              + ": set LC_ALL=C.UTF-8, or another path.",
          e);
    }
  }

  /**
   * @throws StartRefusedException when the property is not a port number from 0 to 65535
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

  /**
   * Refuses an unknown system property, because it would have no effect.
   *
   * @throws StartRefusedException when an unknown name begins with {@code seckill.}
   */
  void refuseUnknown(Set<String> known) {
    List<String> unknown =
        System.getProperties().stringPropertyNames().stream()
            .filter(name -> name.startsWith(PREFIX) && !known.contains(name))
            .sorted()
            .toList();
    if (!unknown.isEmpty()) {
      throw new StartRefusedException(
          "There is no property "
              + String.join(", ", unknown)
              + ": all are in application.properties.");
    }
  }

  /** The environment variable that overrides a property. */
  static String environmentName(String property) {
    return property.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /** Host and port as an address shows them, an IPv6 address in brackets. */
  static String hostAndPort(String host, int port) {
    return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
  }

  /** An address without its user and password, whatever signs they hold. */
  static String withoutPassword(String address) {
    return address
        .replaceAll("//[^/?]*@", "//***@")
        .replaceAll("(?i)password=[^&]*", "password=***");
  }
}
