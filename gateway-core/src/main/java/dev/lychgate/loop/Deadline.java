package dev.lychgate.loop;

import org.jspecify.annotations.Nullable;

/**
 * A point in time after which something is told. One object per watched thing, kept for its whole life and armed again
 * and again: arming costs two field writes as long as the time moves forward. Belongs to one {@link DeadlineWheel} and
 * its event loop.
 */
public abstract class Deadline {
    static final long NEVER = Long.MAX_VALUE;

    /** When {@link #onDeadline} is due, in wheel time (ns). */
    long at = NEVER;
    /** The wheel time of the slot it hangs in; meaningless while it hangs in none. */
    long slotTime;

    @Nullable
    Deadline previous;

    @Nullable
    Deadline next;

    boolean linked;

    /** One that runs {@code task}. */
    public static Deadline of(Runnable task) {
        return new Deadline() {
            @Override
            protected void onDeadline() {
                task.run();
            }
        };
    }

    /** The time has come. Called on the event loop, at most once per arming; may arm again. */
    protected abstract void onDeadline();
}
