/**
 * Station <em>exchange</em>: the one object that owns a request and its answer. A request head arrives here from a
 * listener, which is told everything through {@link dev.lychgate.exchange.Downstream}; from here the request goes through
 * filters and the route to an upstream, a pool and an origin, and its answer comes back the same way. An exchange, its
 * attempts and their connections live on one event loop: nothing in them is shared, volatile or locked.
 */
@NullMarked
package dev.lychgate.exchange;

import org.jspecify.annotations.NullMarked;
