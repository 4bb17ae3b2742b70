/**
 * The tunnel of an exchange that has become a WebSocket: relays bytes in both directions, applies timeouts, and closes
 * the WebSocket. The tunnel sends bytes to the origin through the attempt of the exchange, and to the client through a
 * {@code Downstream}.
 */
@NullMarked
package dev.lychgate.exchange.tunnel;

import org.jspecify.annotations.NullMarked;
