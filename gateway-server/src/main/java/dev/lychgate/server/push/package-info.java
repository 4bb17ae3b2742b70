/**
 * Sends telemetry (metrics, spans, log lines) to a receiver over HTTP. Any thread may offer bodies to a bounded queue.
 * A separate thread sends them in order, so a slow or unreachable receiver does not affect traffic.
 */
@NullMarked
package dev.lychgate.server.push;

import org.jspecify.annotations.NullMarked;
