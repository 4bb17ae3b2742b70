package dev.lychgate.resilience;

import dev.lychgate.error.ErrorKind;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What became of the attempts at one upstream, since the start, for whoever shows it. Each loop counts in a cell of its own
 * without atomic additions; any thread may add the cells up.
 */
public final class AttemptTally {
    private static final int REFUSED = 4 * LatencyBuckets.COUNT;
    private static final int BEGUN = REFUSED + 4;
    private static final int ENDED = BEGUN + 1;

    private final Cell[] cells;

    /** @param loops how many event loops there are */
    public AttemptTally(int loops) {
        cells = new Cell[loops];
        for (int i = 0; i < loops; i++) {
            cells[i] = new Cell();
        }
    }

    /** Where one event loop counts. @param loop the loop's index */
    public Cell onLoop(int loop) {
        return cells[loop];
    }

    /** Attempts that ended so. @param bucket how long they took, as {@link LatencyBuckets} says */
    public long ended(Ending ending, int bucket) {
        return sum(place(ending) + bucket);
    }

    /** Attempts that ended so, however long they took. */
    public long ended(Ending ending) {
        long sum = 0;
        for (int i = 0; i < LatencyBuckets.COUNT; i++) {
            sum += ended(ending, i);
        }
        return sum;
    }

    /** Attempts that a guard refused. */
    public long refused(ErrorKind kind) {
        return sum(place(kind));
    }

    /** Attempts under way. */
    public long underWay() {
        // What ended is read first: an attempt that does both meanwhile counts as under way, not as less than none.
        long ended = sum(ENDED);
        return sum(BEGUN) - ended;
    }

    private static int place(Ending ending) {
        return LatencyBuckets.COUNT
                * switch (ending) {
                    case SUCCESS -> 0;
                    case FAILURE -> 1;
                    case TIMEOUT -> 2;
                    case IGNORED -> 3;
                };
    }

    private static int place(ErrorKind refusedWith) {
        return REFUSED
                + switch (refusedWith) {
                    case CIRCUIT_OPEN -> 0;
                    case BULKHEAD_FULL -> 1;
                    case CONCURRENCY_LIMITED -> 2;
                    default -> 3;
                };
    }

    private long sum(int at) {
        long sum = 0;
        for (Cell cell : cells) {
            sum += cell.counts.getOpaque(at);
        }
        return sum;
    }

    /** One loop's counts; written on that loop only. */
    public static final class Cell {
        private final AtomicLongArray counts = new AtomicLongArray(ENDED + 1);

        private Cell() {}

        void began() {
            count(BEGUN);
        }

        void ended(Ending ending, long latency) {
            count(place(ending) + LatencyBuckets.of(latency));
            count(ENDED);
        }

        void refused(ErrorKind kind) {
            count(place(kind));
        }

        private void count(int at) {
            counts.setOpaque(at, counts.getPlain(at) + 1);
        }
    }
}
