/** A sale's book in Redis: its keys, and whether this node may admit purchases to it. */
package io.seckill.book;
