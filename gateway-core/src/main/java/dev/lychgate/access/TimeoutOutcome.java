package dev.lychgate.access;

import dev.lychgate.filter.FilterOutcome;

/**
 * A pending stage of a filter that waits for a service or a thread. After a timeout, the stage supplies the outcome, so
 * that the timeout does not count as a failure of the filter.
 */
public interface TimeoutOutcome {
    /** Returns the outcome after the timeout of the filter. Called once, on the event loop, after the stage was cancelled. */
    FilterOutcome onTimeout();
}
