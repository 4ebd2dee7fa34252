package io.seckill.drill.plant;

/**
 * A change to one of the application's own files.
 *
 * @param place path below the application's classes: a file, e.g. {@code lua/release.lua}, or a
 *     folder in which exactly one file, at any depth, contains {@code from}; or a file below its
 *     Java sources, which is compiled
 * @param from the exact text to replace; null to make a new file
 * @param to the new text
 */
record Edit(String place, String from, String to) {
  boolean isJava() {
    return place.endsWith(".java");
  }
}
