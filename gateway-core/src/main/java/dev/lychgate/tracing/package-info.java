/**
 * Distributed tracing of exchanges: trace context from clients, trace context for origins, and the sampling decision.
 * All stages of the request path share this package, which depends on none of them. Observers export the recorded
 * exchanges.
 */
@NullMarked
package dev.lychgate.tracing;

import org.jspecify.annotations.NullMarked;
