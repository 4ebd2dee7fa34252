package io.seckill.order;

import io.seckill.domain.DeadLetter;
import java.util.List;

/** The content of a polled batch: the orders, and a dead letter for each unreadable record. */
public record Intake(OrderBatch orders, List<DeadLetter> unreadable) {}
