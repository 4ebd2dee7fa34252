/** Redis, Kafka and MariaDB as child processes and in the JVM, for development and tests. */
package io.seckill.embedded;
