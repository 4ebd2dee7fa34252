/**
 * The HTTP engine: runs Camel routes on event loops or on worker threads, and refuses invalid HTTP.
 */
package io.seckill.http;
