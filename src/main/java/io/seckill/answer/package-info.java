/** What a client is told: answers, problem documents (RFC 9457) and refusals. */
package io.seckill.answer;
