package dev.lychgate.identity;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Stores the verdicts on accepted tokens, by the digests of the tokens. To bound the memory, there are a young map and
 * an old map. When the young map is full, it becomes the old map, and the entries of the previous old map are lost.
 * Thread-safe and lock-free.
 */
final class VerifiedTokens {
    private final int half;
    private final AtomicReference<Halves> halves = new AtomicReference<>(Halves.empty());

    /** Marks the time between two calls of {@link #clear}. */
    static final class Epoch {}

    private record Halves(Epoch epoch, Map<Digest, Verdict.Accepted> young, Map<Digest, Verdict.Accepted> old) {
        static Halves empty() {
            return new Halves(new Epoch(), new ConcurrentHashMap<>(), Map.of());
        }

        Halves next() {
            return new Halves(epoch, new ConcurrentHashMap<>(), young);
        }
    }

    /** The SHA-256 digest of a token. */
    record Digest(long a, long b, long c, long d) {
        static Digest of(String token) {
            try {
                ByteBuffer bytes = ByteBuffer.wrap(
                        MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.ISO_8859_1)));
                return new Digest(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("each JDK has SHA-256", e);
            }
        }
    }

    /**
     * Creates an empty store.
     *
     * @param most the maximum number of stored verdicts, rounded up to an even number; 0 if verdicts are not stored
     */
    VerifiedTokens(int most) {
        this.half = (most + 1) / 2;
    }

    boolean isEnabled() {
        return half > 0;
    }

    /**
     * Returns the stored verdict on a token; null if there is none, or the token has expired.
     *
     * @param now milliseconds since the epoch
     */
    Verdict.@Nullable Accepted find(Digest token, long now) {
        Halves both = halves();
        Verdict.Accepted known = both.young().get(token);
        if (known == null) {
            known = both.old().get(token);
        }
        return known == null || known.until() <= now ? null : known;
    }

    private Halves halves() {
        return Objects.requireNonNull(halves.get());
    }

    /** Returns the current epoch. The caller must obtain the epoch first, and then the keys that verify a token. */
    Epoch epoch() {
        return halves().epoch();
    }

    /** Removes all verdicts, because keys have changed, and begins a new epoch. */
    void clear() {
        halves.set(Halves.empty());
    }

    /**
     * Stores the verdict on a token. If the epoch has ended, the verdict is not stored, because the keys that verified
     * the token may have been revoked. If several threads find the young map full at the same time, the verdicts of
     * some threads may be lost. The tokens of these verdicts are then verified again.
     *
     * @param epoch the epoch before the verification
     */
    @SuppressWarnings("ReferenceEquality") // epochs differ only in their identity
    void add(Digest token, Verdict.Accepted verdict, Epoch epoch) {
        Halves both = halves();
        if (half == 0 || both.epoch() != epoch) {
            return;
        }
        if (both.young().size() >= half) {
            Halves next = both.next();
            if (!halves.compareAndSet(both, next)) {
                return;
            }
            both = next;
        }
        // If the epoch ends now, the map is no longer in use.
        both.young().put(token, verdict);
    }
}
