package io.seckill;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/**
 * Secrets that are mounted as files: {@code seckill.mysql.password-file} names the file that holds
 * {@code seckill.mysql.password}, and so does every property whose name says that it is a secret.
 */
final class SecretFiles {
  private static final String SUFFIX = "-file";

  /** By its last word; an address may carry a password. */
  private static final Pattern SECRET =
      Pattern.compile(
          "seckill\\..*\\b(password|tokens?|secret|sasl-jaas-config)|seckill\\.redis\\.uri");

  private final Settings settings;
  private final List<String> secrets;

  /**
   * @param names of all properties there are
   */
  SecretFiles(Settings settings, Collection<String> names) {
    this.settings = settings;
    this.secrets = names.stream().filter(SecretFiles::isSecret).sorted().toList();
  }

  static boolean isSecret(String property) {
    return SECRET.matcher(property).matches();
  }

  /** The properties that name files. */
  List<String> names() {
    return secrets.stream().map(name -> name + SUFFIX).toList();
  }

  /**
   * Reads the files that are named, without the white space around their content.
   *
   * @param give takes a property and its value
   * @throws StartRefusedException when a file cannot be read or is empty, or when its secret is
   *     given without a file too
   */
  void read(BiConsumer<String, String> give) {
    List<String> inFiles =
        secrets.stream().filter(name -> settings.find(name + SUFFIX).isPresent()).toList();
    for (String name : inFiles) {
      if (settings.isGiven(name)) {
        throw new StartRefusedException(
            name + " and " + name + SUFFIX + " are both set: remove one of them.");
      }
    }
    for (String name : inFiles) {
      give.accept(name, content(name + SUFFIX));
    }
  }

  private String content(String property) {
    Path file = settings.path(property);
    String content;
    try {
      content = Files.readString(file).strip();
    } catch (NoSuchFileException e) {
      throw refusal(property, file, "is not there", e);
    } catch (AccessDeniedException e) {
      throw refusal(property, file, "may not be read by this user", e);
    } catch (IOException e) {
      throw refusal(property, file, "cannot be read (" + e.getMessage() + ")", e);
    }
    if (content.isEmpty()) {
      throw refusal(property, file, "is empty", null);
    }
    return content;
  }

  private static StartRefusedException refusal(
      String property, Path file, String reason, IOException cause) {
    return new StartRefusedException(property + ": the file " + file + " " + reason + ".", cause);
  }
}
