package dev.lychgate.access;

import dev.lychgate.filter.FilterOutcome;

/**
 * The pending result of a filter, while the filter waits for a service or a thread. If the timeout of the filter
 * expires, {@link #onTimeout} supplies the outcome. The timeout then does not count as a failure of the filter.
 */
public interface TimeoutOutcome {
    /** Returns the outcome for an expired timeout. Called once, on the event loop, after this result was cancelled. */
    FilterOutcome onTimeout();
}
