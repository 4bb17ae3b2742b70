/**
 * Sends telemetry (metrics, spans, log lines) to a receiver over HTTP. Bodies arrive here from any thread, wait in a bounded
 * queue, and leave in order on a separate thread. A slow or unreachable receiver does not affect traffic.
 */
@NullMarked
package dev.lychgate.server.push;

import org.jspecify.annotations.NullMarked;
