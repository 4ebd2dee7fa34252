/** Traces a share of the requests and batches. */
package io.seckill.trace;
