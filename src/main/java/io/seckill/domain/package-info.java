/**
 * What all other packages speak of: purchases, orders, their ids and statuses. Depends on no other
 * package.
 */
package io.seckill.domain;
