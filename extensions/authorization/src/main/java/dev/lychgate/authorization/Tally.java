package dev.lychgate.authorization;

import dev.lychgate.filter.FilterCounter;
import dev.lychgate.filter.FilterServices;
import org.jspecify.annotations.Nullable;

/** Counts the decisions of one authorizer by result, as {@code lychgate_filter_own_total}. Thread-safe. */
final class Tally {
    private final String authorizer;
    private volatile @Nullable FilterCounter counter;

    /**
     * Creates a tally, which counts nothing before {@link #load}.
     *
     * @param authorizer the name of the counter: {@code cel} or {@code ext-authz}
     */
    Tally(String authorizer) {
        this.authorizer = authorizer;
    }

    /** Obtains the counter. Decisions before this call are not counted. */
    void load(FilterServices services) {
        counter = services.counter(authorizer);
    }

    void count(String result) {
        FilterCounter loaded = counter;
        if (loaded != null) {
            loaded.increment(result);
        }
    }
}
