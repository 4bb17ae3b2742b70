package dev.lychgate.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Rate limit for a log line about a frequent event. The limit allows the first line, and then one line per {@value
 * #SECONDS} s. Each later line states the number of suppressed lines. Thread-safe and non-blocking.
 */
public final class QuietPeriod {
    static final int SECONDS = 10;

    private static final long NOT_BEGUN = Long.MIN_VALUE;

    private final AtomicLong until = new AtomicLong(NOT_BEGUN);
    private final AtomicLong untold = new AtomicLong();

    /**
     * Records an event and decides whether to log it.
     *
     * @param now the current time, in nanoseconds
     * @return the suffix of the log line, which is empty or states the number of suppressed lines; null if this line is
     *     suppressed
     */
    public @Nullable String tell(long now) {
        long end = until.get();
        boolean over = end == NOT_BEGUN || now - end >= 0;
        if (!over || !until.compareAndSet(end, now + TimeUnit.SECONDS.toNanos(SECONDS))) {
            untold.incrementAndGet();
            return null;
        }
        long before = untold.getAndSet(0);
        return before == 0 ? "" : "; suppressed similar lines: " + before;
    }
}
