/**
 * Sends the call-outs of filters and the copies of mirrors. A {@link dev.lychgate.exchange.call.CallOut} is an exchange
 * without a client, a route or filters. {@link dev.lychgate.exchange.attempt.Attempts} sends the request of a call-out
 * to an origin. {@link dev.lychgate.exchange.call.CallOuts} limits the number of call-outs of one exchange. A {@link
 * dev.lychgate.exchange.call.Mirror} copies the request of an exchange. The next package on the path of a request is
 * {@code exchange.attempt}.
 */
@NullMarked
package dev.lychgate.exchange.call;

import org.jspecify.annotations.NullMarked;
