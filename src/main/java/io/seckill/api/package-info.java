/** Reads buyers' purchases and questions, and makes the answers. */
package io.seckill.api;
