/** The processes of a drill: servers, the application, and the way to what they hold. */
package io.seckill.drill.lab;
