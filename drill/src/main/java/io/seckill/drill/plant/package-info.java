/** Bugs that are planted into copies of the application's files, to test the checker. */
package io.seckill.drill.plant;
