/**
 * What is done when a book in Redis is lost, old or in doubt: it is shut, made anew from MySQL, and
 * compared with MySQL while it sells.
 */
package io.seckill.recovery;
