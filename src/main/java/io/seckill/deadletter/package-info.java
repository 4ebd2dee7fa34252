/** Dead letters: records that did not become orders, kept in MySQL until they end. */
package io.seckill.deadletter;
