/**
 * A small origin to try and to measure against. A request arrives from Netty's decoder; its path and query say which
 * {@code Answer} it gets; answers leave as bytes, for most of them are known beforehand. One event loop per connection,
 * nothing blocks, whatever is large streams with backpressure.
 */
@NullMarked
package dev.lychgate.server.origin;

import org.jspecify.annotations.NullMarked;
