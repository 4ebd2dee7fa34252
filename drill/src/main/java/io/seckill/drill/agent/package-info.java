/** Runs inside the drilled application: crash points and a clock that can be shifted. */
package io.seckill.drill.agent;
