package io.seckill.contract;

/** The contract in strategy B in full mode. */
class FullBContractIT extends ContractSuite {
  FullBContractIT() {
    super(Mode.FULL_B);
  }
}
