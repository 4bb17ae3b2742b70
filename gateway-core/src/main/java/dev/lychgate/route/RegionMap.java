package dev.lychgate.route;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map whose lookups take a region of a longer string as the key, so that lookups of paths and hosts create
 * no substrings. It uses open addressing with linear probing and is at most half full. The keys come from the
 * configuration, so clients cannot cause collisions.
 */
final class RegionMap<V> {
    /**
     * The treatment of upper and lower case in keys. Case is ignored only for ASCII letters, which is sufficient for
     * host names.
     */
    enum Case {
        EXACT,
        IGNORED
    }

    private final Case letters;
    private final String[] keys;
    private final Object[] values;
    private final int mask;
    private final int longest;

    RegionMap(Case letters, Map<String, V> entries) {
        int capacity = 2;
        while (capacity < entries.size() * 2) {
            capacity <<= 1;
        }
        this.letters = letters;
        this.keys = new String[capacity];
        this.values = new Object[capacity];
        this.mask = capacity - 1;
        int max = -1;
        for (Map.Entry<String, V> entry : entries.entrySet()) {
            String key = entry.getKey();
            int slot = hash(key, 0, key.length()) & mask;
            while (keys[slot] != null) {
                slot = (slot + 1) & mask;
            }
            keys[slot] = key;
            values[slot] = entry.getValue();
            max = Math.max(max, key.length());
        }
        this.longest = max;
    }

    /**
     * Returns the value of the key that equals the region of {@code text} from {@code from}, inclusive, to {@code to},
     * exclusive; null if there is no such key.
     */
    @SuppressWarnings("unchecked") // only V is ever stored
    @Nullable
    V get(String text, int from, int to) {
        int length = to - from;
        if (length > longest) {
            return null;
        }
        int slot = hash(text, from, to) & mask;
        while (true) {
            String key = keys[slot];
            if (key == null) {
                return null;
            }
            if (key.length() == length && text.regionMatches(letters == Case.IGNORED, from, key, 0, length)) {
                return (V) values[slot];
            }
            slot = (slot + 1) & mask;
        }
    }

    // The hash ignores the case bit of ASCII letters even if case matters. The only effect is then that a few keys
    // share a slot.
    private static int hash(String text, int from, int to) {
        int hash = to - from;
        for (int i = from; i < to; i++) {
            hash = hash * 31 + (text.charAt(i) | 0x20);
        }
        hash *= 0x9E3779B9;
        return hash ^ hash >>> 16;
    }
}
