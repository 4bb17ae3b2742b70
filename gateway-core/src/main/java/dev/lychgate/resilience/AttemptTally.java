package dev.lychgate.resilience;

import dev.lychgate.error.ErrorKind;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the outcomes of the attempts at one upstream, and its retries, since the start of the gateway. Used for
 * metrics and the admin interface. Each event loop counts in its own cell without atomic additions; any thread may read
 * the sums.
 */
@SuppressWarnings("EnumOrdinal") // array indexes in this process, never stored
public final class AttemptTally {
    private static final int REFUSED = Ending.values().length * LatencyBuckets.COUNT;
    private static final int BEGUN = REFUSED + 4;
    private static final int ENDED = BEGUN + 1;
    private static final int DECISIONS = RetryDecision.values().length;
    private static final int AGAIN = ENDED + 1;
    private static final int HEDGES_WON = AGAIN + SentAgain.values().length;
    private static final int RETRY_DECIDED = HEDGES_WON + 1;
    private static final int HEDGE_DECIDED = RETRY_DECIDED + DECISIONS;
    private static final int CALLS = HEDGE_DECIDED + DECISIONS;
    private static final int SIZE = CALLS + CallEnd.values().length;

    private final Cell[] cells;

    /**
     * Creates counters for the attempts at one upstream.
     *
     * @param loops number of event loops
     */
    public AttemptTally(int loops) {
        cells = new Cell[loops];
        for (int i = 0; i < loops; i++) {
            cells[i] = new Cell();
        }
    }

    /**
     * Returns the counters of one event loop.
     *
     * @param loop the loop's index
     */
    public Cell onLoop(int loop) {
        return cells[loop];
    }

    /**
     * Returns the number of attempts with this outcome and a latency of this class.
     *
     * @param bucket the latency class; see {@link LatencyBuckets}
     */
    public long ended(Ending ending, int bucket) {
        return sum(place(ending) + bucket);
    }

    /** Returns the number of attempts with this outcome and any latency. */
    public long ended(Ending ending) {
        long sum = 0;
        for (int i = 0; i < LatencyBuckets.COUNT; i++) {
            sum += ended(ending, i);
        }
        return sum;
    }

    /** Returns the number of attempts that a guard refused with this error kind. */
    public long refused(ErrorKind kind) {
        return sum(place(kind));
    }

    /** Returns the number of attempts in progress. */
    public long underWay() {
        // Ended attempts are read first, so that an attempt that begins and ends between the two reads does not make
        // the result negative.
        long ended = sum(ENDED);
        return sum(BEGUN) - ended;
    }

    /** Returns how often requests were sent again for this reason. */
    public long again(SentAgain why) {
        return sum(AGAIN + why.ordinal());
    }

    /** Returns the number of hedges whose response was used, because the first attempt was late or failed. */
    public long hedgesWon() {
        return sum(HEDGES_WON);
    }

    /** Returns how often {@code decision} was made about a retry after a failed attempt. */
    public long retriesDecided(RetryDecision decision) {
        return sum(RETRY_DECIDED + decision.ordinal());
    }

    /** Returns how often {@code decision} was made about a hedge for a slow attempt. */
    public long hedgesDecided(RetryDecision decision) {
        return sum(HEDGE_DECIDED + decision.ordinal());
    }

    /**
     * Returns the number of retries and hedges that were charged to the retry budget. Includes retries and hedges that
     * were charged, but not sent.
     */
    public long budgetSpent() {
        return retriesDecided(RetryDecision.RETRY) + hedgesDecided(RetryDecision.RETRY);
    }

    /** Returns the number of retries and hedges that the exhausted retry budget prevented. */
    public long budgetRefused() {
        return retriesDecided(RetryDecision.BUDGET_SPENT) + hedgesDecided(RetryDecision.BUDGET_SPENT);
    }

    /** Returns the number of call-outs of filters that ended with this result. */
    public long calls(CallEnd how) {
        return sum(CALLS + how.ordinal());
    }

    private static int place(Ending ending) {
        return LatencyBuckets.COUNT * ending.ordinal();
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

    /** Counters of one loop; written on that loop only. */
    public static final class Cell {
        private final AtomicLongArray counts = new AtomicLongArray(SIZE);

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

        /** Counts a request that is sent again. */
        public void again(SentAgain why) {
            count(AGAIN + why.ordinal());
        }

        /** Counts a hedge whose response is used. */
        public void hedgeWon() {
            count(HEDGES_WON);
        }

        /** Counts a decision about a retry after a failed attempt. */
        public void retryDecided(RetryDecision decision) {
            count(RETRY_DECIDED + decision.ordinal());
        }

        /** Counts a decision about a hedge for a slow attempt. */
        public void hedgeDecided(RetryDecision decision) {
            count(HEDGE_DECIDED + decision.ordinal());
        }

        /** Counts a call-out of a filter that has ended. */
        public void called(CallEnd how) {
            count(CALLS + how.ordinal());
        }

        private void count(int at) {
            counts.setOpaque(at, counts.getPlain(at) + 1);
        }
    }
}
