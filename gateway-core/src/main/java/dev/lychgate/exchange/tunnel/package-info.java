/**
 * Exchanges whose response granted a tunnel: the bytes of a WebSocket in both directions, its timeouts and its end. It uses the
 * exchange's attempt towards the origin and a {@code Downstream} towards the client.
 */
@NullMarked
package dev.lychgate.exchange.tunnel;

import org.jspecify.annotations.NullMarked;
