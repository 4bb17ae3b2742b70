package dev.lychgate.access;

import dev.lychgate.filter.FilterOutcome;

/**
 * A pending stage whose filter waits for a service or a thread. It supplies the outcome after a timeout, so that the
 * timeout does not count as a failure of the filter.
 */
public interface TimeoutOutcome {
    /** Returns the outcome after the timeout of the filter. Called once, on the event loop, after the stage was cancelled. */
    FilterOutcome onTimeout();
}
