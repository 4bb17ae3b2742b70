package dev.lychgate.loop;

import org.jspecify.annotations.Nullable;

/**
 * An action that is due at a point in time. An owner keeps one deadline per watched resource and arms this deadline
 * repeatedly. Moving a deadline to a later time costs two field writes. A deadline belongs to one {@link DeadlineWheel}
 * and its event loop.
 */
public abstract class Deadline {
    static final long NEVER = Long.MAX_VALUE;

    /** The time at which {@link #onDeadline} is due, in nanoseconds of the wheel's clock. */
    long at = NEVER;
    /**
     * The time of the slot that contains this deadline, in nanoseconds of the wheel's clock; undefined while no slot
     * contains this deadline.
     */
    long slotTime;

    @Nullable
    Deadline previous;

    @Nullable
    Deadline next;

    boolean linked;

    /** Returns a deadline that runs {@code task}. */
    public static Deadline of(Runnable task) {
        return new Deadline() {
            @Override
            protected void onDeadline() {
                task.run();
            }
        };
    }

    /**
     * Handles the expiry. Called on the event loop, at most once each time the deadline is armed. May arm the deadline
     * again.
     */
    protected abstract void onDeadline();
}
