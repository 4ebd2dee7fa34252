package io.seckill.contract;

/** The contract in minimal mode. */
class MinimalContractIT extends ContractSuite {
  MinimalContractIT() {
    super(Mode.MINIMAL);
  }
}
