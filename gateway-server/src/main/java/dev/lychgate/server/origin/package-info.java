/**
 * A small origin for trials and measurements. A request arrives from Netty's HTTP codec; its path and query select the
 * response, which leaves by the same codec. Each connection has one event loop, and large bodies stream with backpressure.
 */
@NullMarked
package dev.lychgate.server.origin;

import org.jspecify.annotations.NullMarked;
