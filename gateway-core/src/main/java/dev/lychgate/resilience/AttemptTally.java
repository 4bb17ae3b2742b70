package dev.lychgate.resilience;

import dev.lychgate.error.ErrorKind;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What became of the attempts at one upstream, and how often there was another one, since the start, for whoever shows it.
 * Each loop counts in a cell of its own without atomic additions; any thread may add the cells up.
 */
@SuppressWarnings("EnumOrdinal") // places in an array of this process, which nothing stores
public final class AttemptTally {
    private static final int REFUSED = Ending.values().length * LatencyBuckets.COUNT;
    private static final int BEGUN = REFUSED + 4;
    private static final int ENDED = BEGUN + 1;
    private static final int DECISIONS = RetryDecision.values().length;
    private static final int AGAIN = ENDED + 1;
    private static final int HEDGES_WON = AGAIN + SentAgain.values().length;
    private static final int RETRY_DECIDED = HEDGES_WON + 1;
    private static final int HEDGE_DECIDED = RETRY_DECIDED + DECISIONS;
    private static final int SIZE = HEDGE_DECIDED + DECISIONS;

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

    /** Requests that were sent again. */
    public long again(SentAgain why) {
        return sum(AGAIN + why.ordinal());
    }

    /** Second attempts whose answer was taken, the first one's being late or none. */
    public long hedgesWon() {
        return sum(HEDGES_WON);
    }

    /** How often it was decided so when an attempt had failed. */
    public long retriesDecided(RetryDecision decision) {
        return sum(RETRY_DECIDED + decision.ordinal());
    }

    /** How often it was decided so when an attempt was slow. */
    public long hedgesDecided(RetryDecision decision) {
        return sum(HEDGE_DECIDED + decision.ordinal());
    }

    /** Attempts that the retry budget has paid for, sent or not. */
    public long budgetSpent() {
        return retriesDecided(RetryDecision.RETRY) + hedgesDecided(RetryDecision.RETRY);
    }

    /** Attempts that it did not pay for. */
    public long budgetRefused() {
        return retriesDecided(RetryDecision.BUDGET_SPENT) + hedgesDecided(RetryDecision.BUDGET_SPENT);
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

    /** One loop's counts; written on that loop only. */
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

        /** A request is sent again. */
        public void again(SentAgain why) {
            count(AGAIN + why.ordinal());
        }

        /** The answer of a second attempt is taken. */
        public void hedgeWon() {
            count(HEDGES_WON);
        }

        /** What was decided when an attempt had failed. */
        public void retryDecided(RetryDecision decision) {
            count(RETRY_DECIDED + decision.ordinal());
        }

        /** What was decided when an attempt was slow. */
        public void hedgeDecided(RetryDecision decision) {
            count(HEDGE_DECIDED + decision.ordinal());
        }

        private void count(int at) {
            counts.setOpaque(at, counts.getPlain(at) + 1);
        }
    }
}
