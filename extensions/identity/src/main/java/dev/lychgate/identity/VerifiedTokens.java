package dev.lychgate.identity;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Stores the verdicts on accepted tokens, by the digests of the tokens. Two halves bound the memory: when the young
 * half is full, it becomes the old half, and the previous old half is dropped. Thread-safe, without locks.
 */
final class VerifiedTokens {
    private final int half;
    private volatile Halves halves = Halves.after(Map.of());

    private record Halves(Map<Digest, Verdict.Accepted> young, Map<Digest, Verdict.Accepted> old) {
        static Halves after(Map<Digest, Verdict.Accepted> full) {
            return new Halves(new ConcurrentHashMap<>(), full);
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

    /** @param most the maximum number of stored verdicts, rounded up to an even number; 0 for none */
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
        Halves both = halves;
        Verdict.Accepted known = both.young().get(token);
        if (known == null) {
            known = both.old().get(token);
        }
        return known == null || known.until() <= now ? null : known;
    }

    /** Forgets all verdicts, because keys have changed. */
    void clear() {
        halves = Halves.after(Map.of());
    }

    /**
     * Stores the verdict on a token. If several threads find a full half at the same time, the verdicts of some of
     * these threads may be lost; their tokens are then verified once more.
     */
    void add(Digest token, Verdict.Accepted verdict) {
        if (half > 0) {
            Halves both = halves;
            if (both.young().size() >= half) {
                both = Halves.after(both.young());
                halves = both;
            }
            both.young().put(token, verdict);
        }
    }
}
