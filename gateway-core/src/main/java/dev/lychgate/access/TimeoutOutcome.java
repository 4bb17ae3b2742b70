package dev.lychgate.access;

import dev.lychgate.filter.FilterOutcome;

/**
 * The pending stage of a filter that waits for a service or a thread, so that a timeout is not a failure of the filter.
 */
public interface TimeoutOutcome {
    /** Returns the outcome after the timeout of the filter. Called once, on the event loop, after the stage was cancelled. */
    FilterOutcome onTimeout();
}
