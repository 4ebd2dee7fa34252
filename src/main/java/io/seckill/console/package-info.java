/**
 * What the console of operators shows while a sale goes on: the event stream, and what nodes tell
 * each other for it.
 */
package io.seckill.console;
