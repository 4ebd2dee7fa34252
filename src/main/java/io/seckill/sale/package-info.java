/** The node's list of sales, and its gate for sold-out ones. */
package io.seckill.sale;
