/** Identifies the buyer by a header from a trusted gateway or by a signed token. */
package io.seckill.identity;
