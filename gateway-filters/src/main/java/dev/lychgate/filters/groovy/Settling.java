package dev.lychgate.filters.groovy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Decides when changed files may be read. After a change, another program may still be writing the files.
 *
 * <p>A change is due for reading after the files have not changed for a short time. If a file grows repeatedly, it is
 * probably being copied, and the change is due after a longer time. If the files have not been written for {@link
 * #SETTLED}, they have settled: no copy is in progress.
 *
 * <p>Uses no clock and reads no files. Not thread-safe.
 */
public final class Settling {
    /** Two writes to a file with less than this time between them belong to the same copy. */
    public static final Duration SETTLED = Duration.ofSeconds(2);

    private static final Duration STILL = Duration.ofMillis(150);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration STILL_AFTER_GROWTH = Duration.ofSeconds(1);
    private static final Duration PATIENCE_WITH_GROWTH = Duration.ofSeconds(30);

    private final long still;
    private final long patience;
    private final Map<String, Long> written = new HashMap<>();
    private Map<String, Long> sizes;
    private Object stamp;
    private State state = State.SETTLED;
    private long began;
    private long last;

    private enum State {
        /** The files have changed, and the change is not due yet. */
        CHANGING,
        /** The files have changed, a file has grown more than once, and the change is not due yet. */
        GROWING,
        /** The change has been reported as due, and the files have not settled yet. */
        READ,
        SETTLED
    }

    /**
     * Creates an object for files that have settled, with the default times.
     *
     * @param stamp a stamp of the state of the files; equal for equal states
     * @param sizes the lengths of the files, by their names
     */
    public Settling(Object stamp, Map<String, Long> sizes) {
        this(stamp, sizes, STILL, PATIENCE);
    }

    /**
     * Creates an object for files that have settled.
     *
     * @param still the time without changes after which a change is due
     * @param patience the time after which a change is due even if the files keep changing
     */
    public Settling(Object stamp, Map<String, Long> sizes, Duration still, Duration patience) {
        this.stamp = stamp;
        this.sizes = sizes;
        this.still = still.toNanos();
        this.patience = patience.toNanos();
    }

    /**
     * Records the state of the files at {@code now}.
     *
     * @param now the time in nanoseconds, of a clock with any zero point
     */
    public void look(Object nowStamp, Map<String, Long> nowSizes, long now) {
        if (nowStamp.equals(stamp)) {
            return;
        }
        boolean grows = hasGrownAgain(nowSizes, now);
        if (!isChanging()) {
            began = now;
            state = State.CHANGING;
        }
        if (grows) {
            state = State.GROWING;
        }
        stamp = nowStamp;
        sizes = nowSizes;
        last = now;
    }

    private boolean hasGrownAgain(Map<String, Long> nowSizes, long now) {
        boolean again = false;
        for (Map.Entry<String, Long> file : nowSizes.entrySet()) {
            Long before = sizes.get(file.getKey());
            if (file.getValue().equals(before)) {
                continue;
            }
            Long earlier = written.put(file.getKey(), now);
            // Growth from length zero does not count, because a poll may find a file after an editor has truncated the
            // file and before the editor has written it.
            again |= before != null
                    && before > 0
                    && file.getValue() > before
                    && earlier != null
                    && now - earlier < SETTLED.toNanos();
        }
        written.keySet().retainAll(nowSizes.keySet());
        return again;
    }

    /**
     * Returns whether there is a change that has not been reported as due. If there is, the next poll should be soon.
     */
    public boolean isChanging() {
        return state == State.CHANGING || state == State.GROWING;
    }

    /** Returns whether a change is due for reading at {@code now}. Returns true one time for each change. */
    public boolean isDue(long now) {
        boolean growing = state == State.GROWING;
        long rest = growing ? Math.max(still, STILL_AFTER_GROWTH.toNanos()) : still;
        long most = growing ? Math.max(patience, PATIENCE_WITH_GROWTH.toNanos()) : patience;
        if (!isChanging() || (now - last < rest && now - began < most)) {
            return false;
        }
        state = State.READ;
        return true;
    }

    /**
     * Returns whether the files have settled at {@code now}, after a change was due. Returns true one time for each
     * change.
     */
    public boolean isSettled(long now) {
        if (state != State.READ || now - last < SETTLED.toNanos()) {
            return false;
        }
        state = State.SETTLED;
        written.clear();
        return true;
    }
}
