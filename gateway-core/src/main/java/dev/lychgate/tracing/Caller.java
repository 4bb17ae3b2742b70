package dev.lychgate.tracing;

import org.jspecify.annotations.Nullable;

/**
 * What whoever has asked says of the trace.
 *
 * @param high the upper half of the trace's id
 * @param low its lower half; both 0 if only {@code sampled} was said
 * @param span the id of the caller's span
 * @param sampled whether the trace is recorded; null if that was left to us
 */
record Caller(long high, long low, long span, @Nullable Boolean sampled, String state) {
    boolean hasTrace() {
        return (high | low) != 0;
    }
}
