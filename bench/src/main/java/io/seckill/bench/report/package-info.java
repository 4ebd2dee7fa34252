/** Turns measurements into ratios, and these into JSON, Markdown and a page. */
package io.seckill.bench.report;
