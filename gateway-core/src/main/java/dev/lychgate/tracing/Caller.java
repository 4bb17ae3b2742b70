package dev.lychgate.tracing;

import org.jspecify.annotations.Nullable;

/**
 * Trace context from the client.
 *
 * @param high the upper half of the trace id
 * @param low the lower half of the trace id; both halves are 0 if there is only a sampling decision
 * @param span the id of the client's span
 * @param sampled whether the trace is recorded; null if the decision is left to the gateway
 */
record Caller(long high, long low, long span, @Nullable Boolean sampled, String state) {
    boolean hasTrace() {
        return (high | low) != 0;
    }
}
