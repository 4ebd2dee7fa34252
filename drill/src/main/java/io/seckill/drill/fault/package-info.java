/** The faults, and the windows of the flow that they must cover. */
package io.seckill.drill.fault;
