/**
 * Distributed tracing of exchanges: reads the trace context of clients, writes the trace context for origins, and makes
 * the sampling decision. All stages of the request path may use this package, which depends on no stage. Observers
 * export the recorded exchanges.
 */
@NullMarked
package dev.lychgate.tracing;

import org.jspecify.annotations.NullMarked;
