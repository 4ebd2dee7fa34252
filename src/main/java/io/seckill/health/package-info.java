/** What this node last saw of its servers, as health checks tell it. */
package io.seckill.health;
