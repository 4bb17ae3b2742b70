/**
 * Distributed tracing of exchanges: trace context from clients, trace context for origins, and the sampling decision. Shared
 * by all stages of the request path, and depends on none; observers export the recorded exchanges.
 */
@NullMarked
package dev.lychgate.tracing;

import org.jspecify.annotations.NullMarked;
