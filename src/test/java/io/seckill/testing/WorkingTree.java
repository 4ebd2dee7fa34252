package io.seckill.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;

/** A copy of the checkout in which a team edits files while the application runs from it. */
public final class WorkingTree {
  private final Path directory;

  /**
   * @param directory empty
   */
  public WorkingTree(Path directory) throws IOException {
    this.directory = Checkout.in(directory.resolve("checkout")).directory();
  }

  /** The application with the dev profile, started in the copy. */
  public ApplicationProcess start(Map<String, String> overrides) {
    Map<String, String> properties = new LinkedHashMap<>(overrides);
    properties.put("camel.main.profile", "dev");
    return ApplicationProcess.external(directory.resolveSibling("run"), properties)
        .workingDirectory(directory)
        .start()
        .awaitReady();
  }

  public String read(String file) {
    try {
      return Files.readString(directory.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Saves in one step, as editors do: a reload must not find a file that is half written. */
  public void save(String file, String text) {
    try {
      Path written = Files.writeString(directory.resolveSibling("written"), text);
      Files.move(written, directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Saves with one text in the place of another, which must be there. */
  public void edit(String file, String before, String after) {
    String text = read(file);
    if (!text.contains(before)) {
      throw new IllegalArgumentException("There is no '" + before + "' in " + file);
    }
    save(file, text.replace(before, after));
  }

  public void delete(String file) {
    try {
      Files.delete(directory.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
