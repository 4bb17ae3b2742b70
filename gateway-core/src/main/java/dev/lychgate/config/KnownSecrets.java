package dev.lychgate.config;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The secrets to which the configurations of this process have referred. The gateway masks these secrets in texts that
 * do not come from the configuration: messages of exceptions and filters, and header fields that a filter has set. The
 * mask is a second line of defense: the configuration accepts secrets only in values that are never displayed.
 *
 * <p>A search visits each character of the text once, even if there are many secrets: at each position, the next four
 * characters select the secrets that may begin there. If there are no secrets, a search reads one field of this object
 * and ends. Thread-safe, without locks.
 */
public final class KnownSecrets {
    public static final KnownSecrets OF_PROCESS = new KnownSecrets();

    /**
     * The minimum length of a secret, in characters. Shorter secrets are not masked. The characters of a short secret
     * also occur in other words by chance, and a mask at such a place would reveal the secret.
     */
    static final int SHORTEST = 8;

    /** The maximum number of texts in the index; the oldest texts are removed first. */
    static final int MOST = 2_000;

    private static final int WINDOW = 4;
    private static final int BITS = 16;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /**
     * The index of the secrets; null if there are no secrets. A process without secrets therefore does not load the
     * class {@link Index}.
     */
    private final AtomicReference<@Nullable Index> index = new AtomicReference<>();

    /**
     * The texts to mask, grouped by the hash of their first characters. Within a group, the longest text comes first.
     * An index never changes after its construction.
     */
    private static final class Index {
        private final long[] begins = new long[(1 << BITS) / Long.SIZE];
        private final Map<Integer, List<String>> byHash = new HashMap<>();
        private final Set<String> texts;

        Index(Set<String> texts) {
            this.texts = texts;
            texts.stream()
                    .sorted(Comparator.comparing(String::length).reversed())
                    .forEach(text -> {
                        long window = 0;
                        for (int i = 0; i < WINDOW; i++) {
                            window = next(window, text.charAt(i));
                        }
                        int hash = hash(window);
                        begins[hash / Long.SIZE] |= 1L << hash;
                        byHash.computeIfAbsent(hash, h -> new ArrayList<>()).add(text);
                    });
        }

        /**
         * Returns an index that contains the texts of this index and {@code others}. If there are more than {@link
         * #MOST} texts, the oldest texts are removed.
         */
        Index with(Set<String> others) {
            if (texts.containsAll(others)) {
                return this;
            }
            Set<String> all = new LinkedHashSet<>(texts);
            // Moves the texts in {@code others} to the end, so that an unused secret is removed before a secret in use.
            all.removeAll(others);
            all.addAll(others);
            all.stream().limit(Math.max(0, all.size() - MOST)).toList().forEach(all::remove);
            return new Index(all);
        }

        /**
         * Returns the secret that begins at {@code position}; null if no secret begins there.
         *
         * @param window the characters at that position
         */
        @Nullable
        String at(String text, int position, long window) {
            int hash = hash(window);
            if ((begins[hash / Long.SIZE] & 1L << hash) == 0) {
                return null;
            }
            for (String each : byHash.getOrDefault(hash, List.of())) {
                if (text.startsWith(each, position)) {
                    return each;
                }
            }
            return null;
        }
    }

    KnownSecrets() {}

    private static long next(long window, char c) {
        return window >>> Character.SIZE | (long) c << (Long.SIZE - Character.SIZE);
    }

    private static int hash(long window) {
        return (int) ((window * SPREAD) >>> (Long.SIZE - BITS));
    }

    /**
     * Adds secrets. A search also finds the percent-encoded form of a secret, and each single line of a secret with
     * several lines, because logs write each line separately.
     */
    public void add(Collection<String> secrets) {
        Set<String> more = new LinkedHashSet<>();
        for (String secret : secrets) {
            more.add(secret);
            String encoded = URLEncoder.encode(secret, StandardCharsets.UTF_8);
            more.add(encoded);
            more.add(encoded.replace("+", "%20"));
            for (String line : secret.split("[\\r\\n]+", -1)) {
                more.add(line.strip());
            }
        }
        more.removeIf(text -> text.length() < SHORTEST);
        if (!more.isEmpty()) {
            index.updateAndGet(known -> known == null ? new Index(more) : known.with(more));
        }
    }

    /**
     * Replaces the secrets in {@code text} with a mask.
     *
     * @return {@code text} itself if it contains no secret
     */
    public String hide(String text) {
        Index known = index.get();
        if (known == null || text.length() < SHORTEST) {
            return text;
        }
        StringBuilder hidden = null;
        int from = 0;
        long window = 0;
        for (int i = 0; i < text.length(); i++) {
            window = next(window, text.charAt(i));
            int begin = i - WINDOW + 1;
            String found = begin < from ? null : known.at(text, begin, window);
            if (found != null) {
                hidden = hidden == null ? new StringBuilder(text.length()) : hidden;
                hidden.append(text, from, begin).append(SecretNames.MASK);
                from = begin + found.length();
            }
        }
        return hidden == null ? text : hidden.append(text, from, text.length()).toString();
    }
}
