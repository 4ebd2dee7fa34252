package io.seckill.order;

import io.seckill.domain.DeadLetter;
import java.util.List;

/** A polled batch, read: the orders, and a dead letter for each record that is none. */
public record Intake(OrderBatch orders, List<DeadLetter> unreadable) {}
