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
 * @param endsAfterMillis when after the fault began to strike an operator ends the sale; negative
 *     when it ends with the run
 */
public record Plan(
    int stock,
    int maxQuantity,
    int users,
    int clients,
    long saleMillis,
    long healedMillis,
    long endsAfterMillis) {
  boolean endsMidway() {
    return endsAfterMillis >= 0;
  }
}
