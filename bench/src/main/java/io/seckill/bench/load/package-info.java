/** Load generators: they send requests to 127.0.0.1 and measure the answers. */
package io.seckill.bench.load;
