package io.seckill.contract;

/** The contract in strategy A in full mode. */
class FullAContractIT extends ContractSuite {
  FullAContractIT() {
    super(Mode.FULL_A);
  }
}
