/**
 * The scripts of folder {@code lua}: one reply type for each script, one record for each outcome.
 */
package io.seckill.book.script;
