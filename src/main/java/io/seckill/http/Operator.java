package io.seckill.http;

/**
 * Who makes an administrative call.
 *
 * @param name of the token
 * @param address the client's IP address, as text
 */
public record Operator(String name, Role role, String address) {}
