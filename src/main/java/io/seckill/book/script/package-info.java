/**
 * The scripts of folder {@code lua}: one type a script for what it answers, one record an outcome.
 */
package io.seckill.book.script;
