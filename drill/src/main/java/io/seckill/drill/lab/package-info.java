/** The processes of a drill: servers and the application, and access to their data. */
package io.seckill.drill.lab;
