/**
 * Exchanges with a response that granted a tunnel: WebSocket bytes in both directions, timeouts and closing. The tunnel uses
 * the exchange's attempt towards the origin and a {@code Downstream} towards the client.
 */
@NullMarked
package dev.lychgate.exchange.tunnel;

import org.jspecify.annotations.NullMarked;
