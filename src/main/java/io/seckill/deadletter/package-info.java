/** Dead letters: records that did not become orders. MySQL keeps them until they end. */
package io.seckill.deadletter;
