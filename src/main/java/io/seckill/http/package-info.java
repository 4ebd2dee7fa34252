/**
 * The HTTP engine: runs Camel routes on event loops or on worker threads, and refuses what is not
 * valid HTTP.
 */
package io.seckill.http;
