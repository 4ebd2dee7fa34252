/**
 * The types that all other packages share: purchases, orders, their ids and statuses. It depends on
 * no other package.
 */
package io.seckill.domain;
