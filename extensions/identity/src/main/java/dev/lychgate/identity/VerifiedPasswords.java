package dev.lychgate.identity;

import dev.lychgate.filter.Identity;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Stores accepted credentials by their keyed digests, for a limited time. To bound the memory, there are a young map
 * and an old map. When the young map is full, it becomes the old map, and the entries of the previous old map are lost.
 * Rejected credentials are not stored, because a client can invent any number of them. Thread-safe and lock-free.
 */
final class VerifiedPasswords {
    /**
     * The maximum number of entries in each of the two maps. A user normally has one entry, because all clients of the
     * user send the same password in the same normalization form.
     */
    private static final int HALF = 5_000;

    private final long millis;
    private volatile Halves halves = new Halves(new ConcurrentHashMap<>(), Map.of());

    private record Verified(Identity identity, long until) {}

    private record Halves(Map<KeyDigest, Verified> young, Map<KeyDigest, Verified> old) {}

    /**
     * Creates an empty store.
     *
     * @param time the time for which credentials are stored; 0 if credentials are not stored
     */
    VerifiedPasswords(Duration time) {
        this.millis = time.toMillis();
    }

    /**
     * Returns the identity for stored credentials; null if they are not stored.
     *
     * @param now milliseconds since the epoch
     */
    @Nullable
    Identity find(KeyDigest credentials, long now) {
        if (millis == 0) {
            return null;
        }
        Halves both = halves;
        Verified known = both.young().get(credentials);
        if (known == null) {
            known = both.old().get(credentials);
        }
        return known == null || known.until() <= now ? null : known.identity();
    }

    /**
     * Stores accepted credentials. If several threads find the young map full at the same time, the entries of some
     * threads may be lost.
     */
    void add(KeyDigest credentials, Identity identity, long now) {
        if (millis > 0) {
            Halves both = halves;
            if (both.young().size() >= HALF) {
                both = new Halves(new ConcurrentHashMap<>(), both.young());
                halves = both;
            }
            both.young().put(credentials, new Verified(identity, now + millis));
        }
    }
}
