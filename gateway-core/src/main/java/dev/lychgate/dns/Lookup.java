package dev.lychgate.dns;

import java.util.concurrent.CompletionStage;

/** Resolves one name, with at most one lookup at a time. */
interface Lookup<T> extends AutoCloseable {
    /**
     * Result of a lookup.
     *
     * @param value the resolved elements in a canonical order, so that equal results compare equal
     * @param ttl the time to live, in seconds; {@link SeenTtl#NONE} if the result has no time to live
     */
    record Answer<T>(T value, long ttl) {}

    /** Starts a lookup. The returned stage fails if there is no usable result. */
    CompletionStage<Answer<T>> ask();

    @Override
    void close();
}
