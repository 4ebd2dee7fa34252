/**
 * Protects sales whose book in Redis may be lost or outdated: closes them, rebuilds books from
 * MySQL, and compares books with MySQL during sales.
 */
package io.seckill.recovery;
