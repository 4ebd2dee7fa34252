package io.seckill.reload;

import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Loads statements and scripts from the working tree, and everything else from the parent. */
final class WorkingTree extends ClassLoader {
  private final List<Path> folders;

  /**
   * @param folders relative to the working directory, with the same names as in the jar
   */
  WorkingTree(ClassLoader parent, List<Path> folders) {
    super(parent);
    this.folders = folders;
  }

  @Override
  public URL getResource(String name) {
    Path path = Path.of(name).normalize();
    if (folders.stream().anyMatch(path::startsWith) && Files.isRegularFile(path)) {
      try {
        return path.toUri().toURL();
      } catch (MalformedURLException e) {
        throw new IllegalArgumentException(name, e);
      }
    }
    return super.getResource(name);
  }
}
