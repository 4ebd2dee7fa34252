/** Token buckets per client address, user, product and activity. */
package io.seckill.rate;
