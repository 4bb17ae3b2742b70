package dev.lychgate.server.metrics;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps earlier snapshots of increasing counts, so that a new snapshot can be compared with a snapshot that is about
 * ten seconds older. While no snapshots are taken, this class costs nothing. Not thread-safe.
 *
 * @param <T> the counts in a snapshot
 */
final class EarlierLooks<T> {
    private static final long WINDOW = TimeUnit.SECONDS.toNanos(10);
    /**
     * The minimum time between stored snapshots, in nanoseconds. This interval limits the number of stored snapshots,
     * however many clients take snapshots.
     */
    private static final long APART = TimeUnit.SECONDS.toNanos(2);

    /**
     * One snapshot of the counts.
     *
     * @param at the time at which it was taken, in nanoseconds of {@link System#nanoTime}, which changes of the system
     *     clock do not affect
     */
    record Look<T>(long at, T found) {
        /** Returns the time between an earlier snapshot and this snapshot, in seconds. */
        double secondsSince(Look<T> earlier) {
            return (at - earlier.at) / 1e9;
        }
    }

    private final Deque<Look<T>> looks = new ArrayDeque<>();

    /** Returns the counts of the latest snapshot; null if there was none. */
    @Nullable
    T latest() {
        Look<T> last = looks.peekLast();
        return last == null ? null : last.found();
    }

    /** Adds a snapshot. Returns the earlier snapshot to compare it with; null if there is none. */
    @Nullable
    Look<T> add(Look<T> now) {
        looks.removeIf(look -> age(look, now) > 2 * WINDOW);
        while (looks.size() > 1 && age(second(), now) >= WINDOW) {
            looks.removeFirst();
        }
        Look<T> before = looks.peekFirst();
        if (looks.isEmpty() || age(looks.getLast(), now) >= APART) {
            looks.addLast(now);
        }
        return before;
    }

    private Look<T> second() {
        return looks.stream().skip(1).findFirst().orElseThrow();
    }

    private static <T> long age(Look<T> look, Look<T> now) {
        return now.at() - look.at();
    }
}
