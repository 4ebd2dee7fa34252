/** Buyers' requests: reads a purchase or a question, and makes its answer. */
package io.seckill.api;
