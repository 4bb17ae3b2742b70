package dev.lychgate.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * When the log is told of something that may happen any number of times: at its first time, and from then on once in
 * {@value #SECONDS} s, with the number of those that went untold. Any thread may call; none waits.
 */
public final class QuietPeriod {
    static final int SECONDS = 10;

    private static final long NOT_BEGUN = Long.MIN_VALUE;

    private final AtomicLong until = new AtomicLong(NOT_BEGUN);
    private final AtomicLong untold = new AtomicLong();

    /**
     * It has happened again.
     *
     * @param now the present, in nanoseconds
     * @return how a line that tells of it has to end: as a rule with nothing, or with how many went untold before; null if
     *     this one goes untold, too
     */
    public @Nullable String tell(long now) {
        long end = until.get();
        boolean over = end == NOT_BEGUN || now - end >= 0;
        if (!over || !until.compareAndSet(end, now + TimeUnit.SECONDS.toNanos(SECONDS))) {
            untold.incrementAndGet();
            return null;
        }
        long before = untold.getAndSet(0);
        return before == 0 ? "" : "; " + before + " more since the last such line";
    }
}
