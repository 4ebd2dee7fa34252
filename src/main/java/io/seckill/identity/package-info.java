/** Tells who buys: by a header of a trusted gateway, or by a signed token. */
package io.seckill.identity;
