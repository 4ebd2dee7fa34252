/** Traces of a share of the requests and batches. */
package io.seckill.trace;
