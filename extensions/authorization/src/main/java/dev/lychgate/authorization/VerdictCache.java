package dev.lychgate.authorization;

import dev.lychgate.filter.FilterExchange;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stores verdicts by a digest of the chosen parts of the request, so the cache contains no credentials. To bound the
 * memory, the cache has a young map and an old map. When the young map is full, it becomes the old map, and the entries
 * of the previous old map are lost. Thread-safe and lock-free.
 */
final class VerdictCache {
    private final List<CacheField> fields;
    private final long nanos;
    private final int half;
    private final LongSupplier clock;
    private volatile Halves halves = Halves.after(Map.of());

    private record Entry(Verdict verdict, long until) {}

    private record Halves(Map<Digest, Entry> young, Map<Digest, Entry> old) {
        static Halves after(Map<Digest, Entry> full) {
            return new Halves(new ConcurrentHashMap<>(), full);
        }
    }

    /** The SHA-256 digest of the chosen parts of a request. */
    record Digest(long a, long b, long c, long d) {
        static Digest of(MessageDigest digest) {
            ByteBuffer bytes = ByteBuffer.wrap(digest.digest());
            return new Digest(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
        }
    }

    /**
     * Creates an empty cache.
     *
     * @param fields the parts of a request that form the key of a verdict
     * @param entries the maximum number of verdicts, rounded up to an even number
     * @param clock the time in nanoseconds
     */
    VerdictCache(List<CacheField> fields, Duration time, int entries, LongSupplier clock) {
        this.fields = fields;
        this.nanos = time.toNanos();
        this.half = (entries + 1) / 2;
        this.clock = clock;
    }

    /**
     * Returns the key of a request. The length of each value precedes the value, so different values have different
     * keys.
     */
    Digest key(FilterExchange exchange) {
        MessageDigest digest = sha256();
        for (CacheField field : fields) {
            List<String> values = field.of(exchange);
            add(digest, values.size());
            for (String value : values) {
                byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
                add(digest, bytes.length);
                digest.update(bytes);
            }
        }
        return Digest.of(digest);
    }

    private static void add(MessageDigest digest, int number) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, number));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-256", e);
        }
    }

    /** Returns the verdict of a key; null if there is none, or if it has expired. */
    @Nullable
    Verdict find(Digest key) {
        Halves both = halves;
        Entry known = both.young().get(key);
        if (known == null) {
            known = both.old().get(key);
        }
        return known == null || known.until() - clock.getAsLong() <= 0 ? null : known.verdict();
    }

    /** Stores a verdict if it applies to all requests with the key. Other verdicts are not stored. */
    void add(Digest key, Verdict verdict) {
        boolean stored =
                verdict instanceof Verdict.Allowed || (verdict instanceof Verdict.Denied denied && denied.isShared());
        if (!stored) {
            return;
        }
        Halves both = halves;
        if (both.young().size() >= half) {
            both = Halves.after(both.young());
            halves = both;
        }
        both.young().put(key, new Entry(verdict, clock.getAsLong() + nanos));
    }
}
