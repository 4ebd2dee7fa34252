package io.seckill.drill.plant;

/**
 * A change to one of the application's own files.
 *
 * @param place path below the application's classes: a file, e.g. {@code lua/release.lua}, or a
 *     folder of which exactly one file, at any depth, holds {@code from}
 * @param from what stands there, to the letter; null: the file is new
 * @param to what is to stand there
 */
record Edit(String place, String from, String to) {}
