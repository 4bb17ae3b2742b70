/**
 * Station <em>exchange</em>: the one object that owns a request and its response. A request head arrives here from a listener,
 * which is notified through a {@link dev.lychgate.exchange.state.Downstream}. {@link dev.lychgate.exchange.RequestStep} is the list of
 * steps that the request takes from here, through filters and the route to an upstream, a pool and an origin;
 * {@link dev.lychgate.exchange.ResponseRelay} is the path back. An exchange, its attempts and their connections live on one event
 * loop: nothing in them is shared, volatile or locked.
 *
 * <p>The rooms of this station, each knowing only those below: {@code exchange}, {@code tunnel}, {@code attempt},
 * {@code filtering}, {@code state}.
 */
@NullMarked
package dev.lychgate.exchange;

import org.jspecify.annotations.NullMarked;
