/**
 * A small origin to try and to measure against. A request arrives from Netty's HTTP codec; its path and query select the response,
 * which leaves by the same codec. One event loop per connection, nothing blocks, and large bodies stream with backpressure.
 */
@NullMarked
package dev.lychgate.server.origin;

import org.jspecify.annotations.NullMarked;
