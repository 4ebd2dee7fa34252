/** The node's list of sales, and its gate for sold-out sales. */
package io.seckill.sale;
