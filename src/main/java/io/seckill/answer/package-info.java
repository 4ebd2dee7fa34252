/**
 * What a client is told. The words mean one thing each:
 *
 * <ul>
 *   <li>{@link io.seckill.answer.Answer}: one HTTP response, before it is sent.
 *   <li>{@link io.seckill.answer.Refusal}: an exception, thrown where a request does not get what
 *       it asks for. {@link io.seckill.answer.Refusals} makes those that several places need.
 *   <li>{@link io.seckill.answer.Problem}: makes a refusal the answer that a client reads (RFC
 *       9457).
 *   <li>{@link io.seckill.answer.ExchangeAnswers}: puts an answer on the exchange of a route.
 *   <li>{@link io.seckill.answer.FaultAnswers}: chooses the answer where a route ended with an
 *       exception.
 * </ul>
 *
 * <p>Package {@code http} sends what no route answers: {@code ServerRefusals} chooses, {@code
 * ServerAnswers} sends. A reply is what a script of Redis returns, not an HTTP response.
 */
package io.seckill.answer;
