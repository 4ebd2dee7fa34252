/** A network that can be broken. */
package io.seckill.drill.net;
