/** Administration: operators create, change, settle and inspect sales, rates and dead letters. */
package io.seckill.admin;
