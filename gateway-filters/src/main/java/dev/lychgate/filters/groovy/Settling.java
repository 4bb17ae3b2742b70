package dev.lychgate.filters.groovy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Decides when files that are being written may be read. A change is due once nothing has changed for a short time. A
 * file that grows repeatedly is being copied. Its change is due after a longer time, because a partial copy would be
 * refused. Files that were not written for {@link #SETTLED} have settled: no copy is then in progress.
 *
 * <p>Uses no clock and reads no files. Not thread-safe.
 */
public final class Settling {
    /** Writes to a file that follow each other within this time belong to one copy. */
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
        /** A change is not due yet. */
        CHANGING,
        /** A change is not due yet, and a file has grown more than once. */
        GROWING,
        /** The change has been reported as due, and the last write is recent. */
        READ,
        SETTLED
    }

    /**
     * @param stamp a stamp that is equal for the same state of the files
     * @param sizes the lengths of the files, by their names
     */
    public Settling(Object stamp, Map<String, Long> sizes) {
        this(stamp, sizes, STILL, PATIENCE);
    }

    /**
     * @param still time without changes before a change is due
     * @param patience time after which it is due in any case
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
     * @param now in nanoseconds, of a clock with any zero point
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
            // Growth from zero does not count, because a poll may find a file after an editor has truncated the file
            // and before the editor has written it.
            again |= before != null
                    && before > 0
                    && file.getValue() > before
                    && earlier != null
                    && now - earlier < SETTLED.toNanos();
        }
        written.keySet().retainAll(nowSizes.keySet());
        return again;
    }

    /** Returns whether there is a change that is not due or was not read yet. The next poll should then be soon. */
    public boolean isChanging() {
        return state == State.CHANGING || state == State.GROWING;
    }

    /** Returns whether a change is to be read now. True once for each change. */
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

    /** Returns whether the files that were read have settled now. True once after each change. */
    public boolean isSettled(long now) {
        if (state != State.READ || now - last < SETTLED.toNanos()) {
            return false;
        }
        state = State.SETTLED;
        written.clear();
        return true;
    }
}
