/**
 * Sends the call-outs of filters. A {@link dev.lychgate.exchange.call.CallOut} is an exchange without a client, a route and filters;
 * {@link dev.lychgate.exchange.attempt.Attempts} sends its request to an origin. {@link dev.lychgate.exchange.call.CallOuts} bounds
 * the call-outs of one exchange. The next stage is {@code exchange.attempt}.
 */
@NullMarked
package dev.lychgate.exchange.call;

import org.jspecify.annotations.NullMarked;
