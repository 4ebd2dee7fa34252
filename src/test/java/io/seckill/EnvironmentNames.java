package io.seckill;

import io.seckill.testing.PropertyNames;
import java.util.Set;
import java.util.TreeSet;

/** The environment variables that the application reads. */
final class EnvironmentNames {
  private EnvironmentNames() {}

  /** One for each property, and for each secret one that names its file. */
  static Set<String> all() {
    Set<String> names = new TreeSet<>();
    for (String property : PropertyNames.all()) {
      names.add(Settings.environmentName(property));
      if (SecretFiles.isSecret(property)) {
        names.add(Settings.environmentName(property + "-file"));
      }
    }
    return names;
  }

  /** Those whose value is a secret itself. */
  static Set<String> secrets() {
    Set<String> names = new TreeSet<>();
    PropertyNames.all().stream()
        .filter(SecretFiles::isSecret)
        .filter(property -> !property.equals("seckill.redis.uri")) // it need not hold a password
        .forEach(property -> names.add(Settings.environmentName(property)));
    return names;
  }
}
