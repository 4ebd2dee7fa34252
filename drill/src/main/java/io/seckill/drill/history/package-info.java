/** The history of a run: events, answers, books. It imports nothing of the application. */
package io.seckill.drill.history;
