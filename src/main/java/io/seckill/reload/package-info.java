/** Applies what a team saves in the working tree while the application runs. */
package io.seckill.reload;
