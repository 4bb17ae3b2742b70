package dev.lychgate.dns;

import java.util.concurrent.CompletionStage;

/** Asks for what one name stands for; one question at a time. */
interface Lookup<T> extends AutoCloseable {
    /**
     * An answer.
     *
     * @param value what the name stands for, in an order of its own, so that the same is equal
     * @param ttl how long it is good, in seconds; {@link SeenTtl#NONE} if nothing was said of it
     */
    record Answer<T>(T value, long ttl) {}

    /** Asks now; fails if there is no answer, or none that is of use. */
    CompletionStage<Answer<T>> ask();

    @Override
    void close();
}
