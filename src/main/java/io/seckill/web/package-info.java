/** The pages for people: which files there are, and how a browser gets them. */
package io.seckill.web;
