package io.seckill.api;

import io.seckill.answer.Answer;
import io.seckill.domain.Purchase;

/**
 * What became of one of the requests that a buyer asks for together.
 *
 * @param answer as to a question for this request alone
 * @param pending the purchase whose end is to come; null for none
 */
record Asked(Answer answer, Purchase pending) {
  private static final int OK = 200;

  boolean isKnown() {
    return answer.status() == OK;
  }
}
