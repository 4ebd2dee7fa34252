package io.seckill.drill.run;

/**
 * The size of a drill's sale.
 *
 * @param stock units
 * @param maxQuantity of a purchase
 * @param users who try to buy
 * @param clients threads that act for the users
 * @param saleMillis how long the clients go on
 * @param healedMillis longest time from the end of the fault until all purchases have ended
 */
public record Plan(
    int stock, int maxQuantity, int users, int clients, long saleMillis, long healedMillis) {}
