/**
 * Recorded exchanges as spans of OpenTelemetry, sent to a collector by OTLP over HTTP. Whatever becomes of the collector,
 * exchanges never hear of it.
 */
@NullMarked
package dev.lychgate.server.otlp;

import org.jspecify.annotations.NullMarked;
