/**
 * Sends the request of one exchange: {@link dev.lychgate.exchange.attempt.Attempts} chooses an endpoint, repeats what may be
 * repeated and hedges; an {@link dev.lychgate.exchange.attempt.Attempt} owns one connection and one sending;
 * {@link dev.lychgate.exchange.attempt.OutgoingRequest} passes head and body to it. Results go to an
 * {@link dev.lychgate.exchange.attempt.AttemptOwner}. The next station is {@code pool}.
 */
@NullMarked
package dev.lychgate.exchange.attempt;

import org.jspecify.annotations.NullMarked;
