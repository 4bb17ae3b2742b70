/**
 * OTLP, in the form of protocol buffers: recorded exchanges as spans, sent to a collector over HTTP, and the messages that
 * metrics are sent in, too. Whatever becomes of the collector, exchanges never hear of it.
 */
@NullMarked
package dev.lychgate.server.otlp;

import org.jspecify.annotations.NullMarked;
