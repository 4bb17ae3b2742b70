/**
 * OTLP in Protocol Buffers: recorded exchanges as spans, sent to a collector over HTTP, and the encoding of metrics.
 * Failures of the collector do not affect exchanges.
 */
@NullMarked
package dev.lychgate.server.otlp;

import org.jspecify.annotations.NullMarked;
