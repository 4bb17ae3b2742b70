package dev.lychgate.server.shadow;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts copies of requests by their result, and differences by their kind. Any thread. */
public final class ShadowTally {
    /** The end of a copy. */
    public enum Result {
        /** Both generations decided alike. */
        EQUAL,
        /** They decided differently. */
        DIFFERENT,
        /** Undecided: a filter called out, which a copy must not do. */
        CALL_OUT,
        /** Undecided: a filter needed the body, which is not copied. */
        BODY,
        /** Undecided: the filters took too long. */
        TIME,
        /** The copy ended by an unexpected error. */
        FAILED,
        /** The copy was dropped before it ran, under pressure. */
        DROPPED;

        /** Returns whether the decisions of both generations were compared to their end. */
        boolean isCompared() {
            return this == EQUAL || this == DIFFERENT;
        }
    }

    /** What differs. */
    public enum Kind {
        /** A filter ends the request in one generation, and does not run in the other one. */
        RUN,
        /** The outcome of a filter. */
        OUTCOME,
        /** The method, path, query, host or a header field after a filter. */
        CHANGE,
        ROUTE,
        UPSTREAM,
        /** The path that the origin would receive, by the rewrite of the route. */
        PATH,
        /** The status of a response of the gateway, or whether there is one. */
        STATUS
    }

    private final Map<Result, LongAdder> results = new EnumMap<>(Result.class);
    private final Map<Kind, LongAdder> kinds = new EnumMap<>(Kind.class);
    private final @Nullable ShadowTally sum;

    /** @param sum counts the same in addition; null for none */
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

    /** Returns all copies by result, zeros included. */
    public Map<String, Long> results() {
        return labelled(results);
    }

    /** Returns the requests with a difference by its kind, zeros included; one request may have several. */
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
