package io.seckill.kafka;

/**
 * A record to send, without headers.
 *
 * @param key null for none
 */
public record OutgoingRecord(String key, byte[] value) {}
