/**
 * Encodes spans, metrics and log records as OTLP in Protocol Buffers, and sends recorded exchanges and changes to a
 * collector over HTTP. Failures of the collector do not affect exchanges.
 */
@NullMarked
package dev.lychgate.server.otlp;

import org.jspecify.annotations.NullMarked;
