package io.seckill.drill.fault;

/**
 * A fault: something that breaks in the middle of a sale.
 *
 * @param name kebab-case
 * @param description one sentence
 * @param ownServers whether it breaks servers; such a fault is skipped with given servers
 * @param strike breaks something and repairs it; returns when it is repaired
 */
public record Fault(
    String name, String description, boolean ownServers, Setup setup, Strike strike) {

  /** Breaks something, and repairs it. */
  @FunctionalInterface
  public interface Strike {
    void at(Scene scene) throws Exception;
  }

  static Fault anywhere(String name, String description, Strike strike) {
    return new Fault(name, description, false, Setup.USUAL, strike);
  }

  static Fault ownServers(String name, String description, Strike strike) {
    return new Fault(name, description, true, Setup.USUAL, strike);
  }

  Fault with(Setup other) {
    return new Fault(name, description, ownServers, other, strike);
  }
}
