package io.seckill.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;

/** The properties of the application, as {@code application.properties} names them. */
public final class PropertyNames {
  private static final Path FILE = Path.of("src", "main", "resources", "application.properties");
  private static final Pattern NAME = Pattern.compile("seckill\\.[a-z][\\w.-]*[a-z]");

  private PropertyNames() {}

  /** Those with a default, and those that the file's comments name because they have none. */
  public static Set<String> all() {
    try {
      Set<String> names = new LinkedHashSet<>();
      NAME.matcher(Files.readString(FILE)).results().forEach(name -> names.add(name.group()));
      return names;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The default of a property, a number. */
  public static int number(String name) {
    Properties defaults = new Properties();
    try (InputStream in = Files.newInputStream(FILE)) {
      defaults.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Integer.parseInt(defaults.getProperty(name));
  }
}
