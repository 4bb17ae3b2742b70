/**
 * A small origin for trials and measurements. The path and the query of a request select the response. Netty's HTTP
 * codec decodes requests and encodes responses. Each connection has one event loop, and large bodies stream with
 * backpressure.
 */
@NullMarked
package dev.lychgate.server.origin;

import org.jspecify.annotations.NullMarked;
