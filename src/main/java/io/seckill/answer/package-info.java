/**
 * The answers that clients get. Each word has one meaning:
 *
 * <ul>
 *   <li>{@link io.seckill.answer.Answer}: one HTTP response, before it is sent.
 *   <li>{@link io.seckill.answer.Refusal}: an exception that ends a request with a problem. {@link
 *       io.seckill.answer.Refusals} makes those that several places share.
 *   <li>{@link io.seckill.answer.Problem}: turns a refusal into the answer that a client reads (RFC
 *       9457).
 *   <li>{@link io.seckill.answer.ExchangeAnswers}: puts an answer on the exchange of a route.
 *   <li>{@link io.seckill.answer.FaultAnswers}: chooses the answer when a route ended with an
 *       exception.
 * </ul>
 *
 * <p>Package {@code http} answers requests that reach no route: {@code ServerRefusals} chooses the
 * answer, {@code ServerAnswers} sends it. A reply is what a Redis script returns, never an HTTP
 * response.
 */
package io.seckill.answer;
