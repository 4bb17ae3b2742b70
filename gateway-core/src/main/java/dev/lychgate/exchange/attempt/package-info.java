/**
 * Sends the request of one exchange to origins. {@link dev.lychgate.exchange.attempt.Attempts} chooses endpoints,
 * retries and hedges. An {@link dev.lychgate.exchange.attempt.Attempt} owns one connection and one transmission of the
 * request. {@link dev.lychgate.exchange.attempt.OutgoingRequest} passes head and body to the attempt. An {@link
 * dev.lychgate.exchange.attempt.AttemptOwner} receives the results. The next package on the path of a request is {@code
 * pool}.
 */
@NullMarked
package dev.lychgate.exchange.attempt;

import org.jspecify.annotations.NullMarked;
