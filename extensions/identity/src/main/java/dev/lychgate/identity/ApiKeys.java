package dev.lychgate.identity;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a file, by their digests. Immutable and thread-safe.
 *
 * <p>A plain SHA-256 digest is sufficient, because a key is random and long: a search through 256 bits is infeasible,
 * however fast the digest is. Slow hashes are meant for passwords, which people choose. A salt would prevent a search
 * for many keys at once, but such a search is infeasible even without a salt. Texts that are shorter than {@link
 * #SHORTEST} are never looked up. Therefore, an entry has no effect if it is the digest of a short, guessable text.
 *
 * <p>A lookup compares digests, so its duration depends on the digest of a key and not on the key. Even if the duration
 * reveals parts of a digest, it reveals nothing about the key.
 */
final class ApiKeys {
    /**
     * The minimum length of a key, in characters. 128 random bits need 22 characters of Base64, and a key also has a
     * prefix.
     */
    static final int SHORTEST = 24;

    static final int LONGEST = 256;

    private final Map<KeyDigest, ApiKey> keys;

    private ApiKeys(Map<KeyDigest, ApiKey> keys) {
        this.keys = keys;
    }

    /**
     * Reads a file.
     *
     * @throws dev.lychgate.config.ConfigException under the key {@code file}, with the line and the reason
     */
    static ApiKeys read(String file) {
        Map<KeyDigest, ApiKey> keys = new HashMap<>();
        Map<KeyDigest, Integer> lines = new HashMap<>();
        Map<String, Integer> ids = new HashMap<>();
        EntryFile.read(file, (line, number) -> {
            ApiKey key = ApiKey.parse(line);
            Integer same = lines.putIfAbsent(key.digest(), number);
            if (same != null) {
                throw new IllegalArgumentException("a key that differs from the key of line " + same);
            }
            Integer named = ids.putIfAbsent(key.id(), number);
            if (named != null) {
                throw new IllegalArgumentException("an id that differs from the id of line " + named);
            }
            keys.put(key.digest(), key);
        });
        return new ApiKeys(keys);
    }

    /** Returns whether a text can be a key: 24 to 256 visible characters of ASCII. */
    static boolean isWellFormed(String presented) {
        return presented.length() >= SHORTEST
                && presented.length() <= LONGEST
                && presented.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }

    /** Returns the key for this text, even if it has expired; null if there is none. */
    @Nullable
    ApiKey find(String presented) {
        return isWellFormed(presented) ? keys.get(KeyDigest.of(presented.getBytes(StandardCharsets.US_ASCII))) : null;
    }
}
