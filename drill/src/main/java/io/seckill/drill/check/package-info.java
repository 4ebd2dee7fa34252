/** The checker: judges histories against the invariants. It imports nothing of the application. */
package io.seckill.drill.check;
