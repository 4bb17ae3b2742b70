package dev.lychgate.identity;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The keys of one issuer. Thread-safe. */
interface KeySource {
    /**
     * The keys of an issuer at one point in time.
     *
     * @param askedAt the time at which these keys were requested from the issuer, as {@link System#nanoTime}
     */
    record Known(TokenKeys keys, long askedAt) {}

    /** Returns the keys; null if there are none yet, or if they are too old. Never blocks. */
    @Nullable
    Known current();

    /**
     * Returns keys that are newer than {@code than}, either at once or after a download. Must not be called on an event
     * loop.
     *
     * @param than null to get any keys
     * @return a future of the newer keys, or of {@code than} if there are none; fails if the keys cannot be read
     */
    CompletableFuture<Known> newer(@Nullable Known than);

    /** Returns keys that never change. */
    static KeySource fixed(TokenKeys keys) {
        Known known = new Known(keys, System.nanoTime());
        return new KeySource() {
            @Override
            public Known current() {
                return known;
            }

            @Override
            public CompletableFuture<Known> newer(@Nullable Known than) {
                return CompletableFuture.completedFuture(known);
            }
        };
    }
}
