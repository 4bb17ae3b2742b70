package dev.lychgate.server.shadow;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts copies of requests by result, and differences by kind. Thread-safe. */
public final class ShadowTally {
    /** The result of a copy. */
    public enum Result {
        /** Both generations made the same decisions. */
        EQUAL,
        /** The generations made different decisions. */
        DIFFERENT,
        /** No decision: a filter made a call-out, which is not permitted for a copy. */
        CALL_OUT,
        /** No decision: a filter needed the body, which is not copied. */
        BODY,
        /** No decision: the filters took too long. */
        TIME,
        /** An unexpected error ended the copy. */
        FAILED,
        /** The copy was dropped before it ran, because the queue was full or memory was short. */
        DROPPED;

        /** Returns whether all decisions of both generations were compared. */
        boolean isCompared() {
            return this == EQUAL || this == DIFFERENT;
        }
    }

    /** The kind of a difference. */
    public enum Kind {
        /** A filter ends the request in one generation, but does not run in the other generation. */
        RUN,
        /** The outcomes of a filter differ. */
        OUTCOME,
        /** The method, path, query, host or a header field differs after a filter. */
        CHANGE,
        ROUTE,
        UPSTREAM,
        /** The path that the origin would receive differs, because of the rewrite of the route. */
        PATH,
        /** The status of a response that the gateway creates differs, or only one generation creates a response. */
        STATUS
    }

    private final Map<Result, LongAdder> results = new EnumMap<>(Result.class);
    private final Map<Kind, LongAdder> kinds = new EnumMap<>(Kind.class);
    private final @Nullable ShadowTally sum;

    /** @param sum another tally that counts the same copies; null for none */
    public ShadowTally(@Nullable ShadowTally sum) {
        this.sum = sum;
        for (Result result : Result.values()) {
            results.put(result, new LongAdder());
        }
        for (Kind kind : Kind.values()) {
            kinds.put(kind, new LongAdder());
        }
    }

    void ended(Result result) {
        count(results, result);
        if (sum != null) {
            sum.ended(result);
        }
    }

    void differs(Kind kind) {
        count(kinds, kind);
        if (sum != null) {
            sum.differs(kind);
        }
    }

    private static <E extends Enum<E>> void count(Map<E, LongAdder> counts, E which) {
        LongAdder count = counts.get(which);
        if (count != null) {
            count.increment();
        }
    }

    long count(Result result) {
        LongAdder count = results.get(result);
        return count == null ? 0 : count.sum();
    }

    /** Returns the numbers of copies by result, including zeros. */
    public Map<String, Long> results() {
        return labelled(results);
    }

    /** Returns the numbers of differences by kind, including zeros. One request may have several differences. */
    public Map<String, Long> differences() {
        return labelled(kinds);
    }

    private static <E extends Enum<E>> Map<String, Long> labelled(Map<E, LongAdder> counts) {
        Map<String, Long> labelled = new LinkedHashMap<>();
        counts.forEach((which, count) -> labelled.put(label(which), count.sum()));
        return labelled;
    }

    static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
