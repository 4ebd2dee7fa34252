/** What benchmark and drill share: pages with charts. */
package io.seckill.tools;
