package io.seckill.drill.plant;

/**
 * A change to one of the application's own files.
 *
 * @param file path below the application's classes, e.g. {@code lua/release.lua}
 * @param from what stands there, to the letter; null: the file is new
 * @param to what is to stand there
 */
record Edit(String file, String from, String to) {}
