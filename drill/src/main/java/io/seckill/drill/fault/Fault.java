package io.seckill.drill.fault;

/**
 * Something that breaks in the middle of a sale.
 *
 * @param name kebab-case
 * @param description one sentence
 * @param ownServers whether it needs servers that may be hurt; with given servers it is left out
 * @param strike breaks it and heals it again; returns when it is over
 */
public record Fault(
    String name, String description, boolean ownServers, Setup setup, Strike strike) {

  /** What is done, and undone. */
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
