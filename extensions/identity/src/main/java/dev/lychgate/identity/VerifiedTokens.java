package dev.lychgate.identity;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers accepted tokens by their digests. Two halves bound the memory: when the young half is full it becomes the old
 * one, and the old one is forgotten. Lookups take no lock.
 */
final class VerifiedTokens {
    private final int half;
    private volatile Map<Digest, Verdict.Accepted> young = new ConcurrentHashMap<>();
    private volatile Map<Digest, Verdict.Accepted> old = Map.of();

    /** SHA-256. */
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

    /** @param most how many tokens are remembered; 0 = none */
    VerifiedTokens(int most) {
        this.half = most / 2;
    }

    boolean isEnabled() {
        return half > 0;
    }

    /** Returns the verdict on a token; null if it is not remembered or has expired. @param now in milliseconds since the epoch */
    Verdict.@Nullable Accepted find(Digest token, long now) {
        Verdict.Accepted known = young.get(token);
        if (known == null) {
            known = old.get(token);
        }
        return known == null || known.until() <= now ? null : known;
    }

    /** Not for event loops. */
    synchronized void add(Digest token, Verdict.Accepted verdict) {
        if (half > 0) {
            if (young.size() >= half) {
                old = young;
                young = new ConcurrentHashMap<>();
            }
            young.put(token, verdict);
        }
    }
}
