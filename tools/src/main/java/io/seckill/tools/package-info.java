/** Pages with charts, for benchmark and drill. */
package io.seckill.tools;
