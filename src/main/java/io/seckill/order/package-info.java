/**
 * Writes batches of Kafka records to MySQL as orders, decides the outcomes, and sweeps overdue
 * reservations.
 */
package io.seckill.order;
