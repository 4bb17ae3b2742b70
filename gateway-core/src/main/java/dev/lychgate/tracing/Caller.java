package dev.lychgate.tracing;

import org.jspecify.annotations.Nullable;

/**
 * The trace context that a client has sent.
 *
 * @param high the upper half of the trace id
 * @param low the lower half of the trace id; both halves are 0 if the client sent a sampling decision without a trace
 * @param span the id of the client's span
 * @param sampled whether the trace is recorded; null if the gateway decides
 */
record Caller(long high, long low, long span, @Nullable Boolean sampled, String state) {
    boolean hasTrace() {
        return (high | low) != 0;
    }
}
