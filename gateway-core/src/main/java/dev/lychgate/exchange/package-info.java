/**
 * The <em>exchange</em> stage: one object owns a request and its response. A listener delivers the request head and is
 * called back through a {@link dev.lychgate.exchange.state.Downstream}. {@link dev.lychgate.exchange.RequestStep} lists the
 * steps of the request from here through filters and the route to an upstream, a pool and an origin.
 * {@link dev.lychgate.exchange.ResponseRelay} is the path back. An exchange, its attempts and their connections live on one
 * event loop: their state is not shared, volatile or locked.
 *
 * <p>Layers, each of which depends only on those below: {@code exchange}, {@code tunnel}, {@code attempt}, {@code call},
 * {@code filtering}, {@code state}.
 */
@NullMarked
package dev.lychgate.exchange;

import org.jspecify.annotations.NullMarked;
