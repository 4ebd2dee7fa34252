/** The drill: breaks something in the middle of a sale and judges the result. */
package io.seckill.drill;
