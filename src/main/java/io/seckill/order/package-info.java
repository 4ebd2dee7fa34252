/**
 * From a Kafka batch to rows in MySQL: writes orders, judges what became of them, sweeps overdue
 * reservations.
 */
package io.seckill.order;
