/**
 * Sends telemetry (metrics, spans, log lines) to a receiver over HTTP. Any thread may offer bodies to a bounded queue,
 * and a separate thread sends them in order. A slow or unreachable receiver does not affect traffic.
 */
@NullMarked
package dev.lychgate.server.push;

import org.jspecify.annotations.NullMarked;
