/**
 * Sends the call-outs of filters: a {@link dev.lychgate.exchange.call.CallOut} is an exchange of its own without a client, route or
 * filters, whose request goes to an origin by {@link dev.lychgate.exchange.attempt.Attempts} like that of a client.
 * {@link dev.lychgate.exchange.call.CallOuts} bounds those of one exchange. The next station is {@code exchange.attempt}.
 */
@NullMarked
package dev.lychgate.exchange.call;

import org.jspecify.annotations.NullMarked;
