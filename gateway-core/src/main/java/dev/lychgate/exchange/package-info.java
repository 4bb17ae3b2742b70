/**
 * The <em>exchange</em> stage: an {@link dev.lychgate.exchange.Exchange} owns one request and its response. A listener
 * delivers the request to the exchange. The exchange writes the response through a {@link
 * dev.lychgate.exchange.state.Downstream}. {@link dev.lychgate.exchange.RequestStep} lists the steps of the request:
 * through the filters and the route, and then to an upstream, a pool and an origin. {@link
 * dev.lychgate.exchange.ResponseRelay} is the path of the response. An exchange, its attempts and their connections
 * belong to one event loop, so none of their state is shared, volatile or locked.
 *
 * <p>The packages {@code exchange}, {@code call}, {@code tunnel}, {@code attempt}, {@code filtering} and {@code state}
 * form layers in this order. A package may depend on later packages of this list, but not on earlier packages.
 */
@NullMarked
package dev.lychgate.exchange;

import org.jspecify.annotations.NullMarked;
