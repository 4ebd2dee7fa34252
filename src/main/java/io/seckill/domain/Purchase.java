package io.seckill.domain;

/**
 * What a buyer asks for.
 *
 * @param idemKey the client's key, 1 to 40 of {@code A-Z a-z 0-9 . _ : -}
 * @param quantity units, at least 1
 */
public record Purchase(
    long productId, long userId, String idemKey, int quantity, String requestId) {}
