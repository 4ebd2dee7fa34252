/**
 * Webhooks by Standard Webhooks 1.0: what happens to sales and orders is sent to the endpoints that
 * ask for it.
 */
package io.seckill.webhook;
