package dev.lychgate.server.metrics;

import dev.lychgate.exchange.call.MirrorOutcome;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts the copies of one route at one upstream. Thread-safe. */
public final class MirrorTally {
    /** The result of a comparison of two responses. */
    public enum Result {
        /** The responses do not differ. */
        EQUAL,
        DIFFERENT,
        /** The compared parts do not differ, but the bodies were not compared. */
        PARTIAL,
        /**
         * The responses were not compared, because the primary response is incomplete, or because the gateway lacked
         * memory or time.
         */
        SKIPPED
    }

    /** The part of the responses that differs. */
    public enum Kind {
        STATUS,
        HEADER,
        /** The bodies differ, and they are not JSON. */
        BODY,
        JSON
    }

    private final LongAdder[] outcomes = adders(MirrorOutcome.values().length);
    private final LongAdder[] results = adders(Result.values().length);
    private final LongAdder[] kinds = adders(Kind.values().length);
    private final LongAdder nanos = new LongAdder();
    private final LongAdder timed = new LongAdder();

    MirrorTally() {}

    private static LongAdder[] adders(int count) {
        return Stream.generate(LongAdder::new).limit(count).toArray(LongAdder[]::new);
    }

    /**
     * Counts the end of a copy.
     *
     * @param duration the duration of the copy in nanoseconds; used only if the copy has a response
     */
    @SuppressWarnings("EnumOrdinal") // an index
    public void ended(MirrorOutcome outcome, long duration) {
        outcomes[outcome.ordinal()].increment();
        if (outcome == MirrorOutcome.RESPONSE) {
            timed.increment();
            nanos.add(duration);
        }
    }

    /** Counts a comparison. */
    @SuppressWarnings("EnumOrdinal") // an index
    public void compared(Result result) {
        results[result.ordinal()].increment();
    }

    /** Counts a difference. A comparison counts at most one difference of each kind and subject. */
    @SuppressWarnings("EnumOrdinal") // an index
    public void differs(Kind kind) {
        kinds[kind.ordinal()].increment();
    }

    @SuppressWarnings("EnumOrdinal") // an index
    public long ended(MirrorOutcome outcome) {
        return outcomes[outcome.ordinal()].sum();
    }

    @SuppressWarnings("EnumOrdinal") // an index
    public long count(Result result) {
        return results[result.ordinal()].sum();
    }

    @SuppressWarnings("EnumOrdinal") // an index
    public long count(Kind kind) {
        return kinds[kind.ordinal()].sum();
    }

    /** Returns the number of copies with a response. */
    long timed() {
        return timed.sum();
    }

    /** Returns the total duration of all copies with a response, in seconds. */
    double seconds() {
        return nanos.sum() / 1e9;
    }
}
