package dev.lychgate.server.recording;

import dev.lychgate.http.QueryParameters;
import dev.lychgate.http.Redaction;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The secret values of one exchange. Masks all occurrences of these values in texts. Overlapping occurrences become one
 * mask, so that no part of a value remains. For each value, the time is linear in the length of the text, even if an
 * attacker has chosen the value and the text. Used by one thread.
 */
final class MaskedValues {
    /**
     * The length of the shortest masked value. Shorter values occur by chance, and masking them would hide harmless
     * text.
     */
    private static final int SHORTEST = 6;

    /** The maximum number of values. Each spelling of a value counts separately. */
    private static final int MOST = 512;

    private final Set<String> values = new LinkedHashSet<>();
    private @Nullable List<Search> inTexts;
    private @Nullable List<Search> inBytes;

    /** Adds the plain and encoded spellings of a value, unless the value is short or the maximum is reached. */
    void add(String value) {
        if (value.length() >= SHORTEST && values.size() < MOST) {
            values.add(value);
            values.add(URLEncoder.encode(value, StandardCharsets.UTF_8));
            values.add(QueryParameters.encoded(value));
            inTexts = null;
            inBytes = null;
        }
    }

    /**
     * Masks the values in a text.
     *
     * @return the same instance if the text contains none of them
     */
    String maskText(String text) {
        List<Search> all = inTexts;
        if (all == null) {
            all = values.stream().map(Search::new).toList();
            inTexts = all;
        }
        return masked(text, all);
    }

    /** Works like {@link #maskText} for UTF-8 text in which each character stands for one byte. */
    String maskBytes(String bytes) {
        List<Search> all = inBytes;
        if (all == null) {
            all = values.stream()
                    .map(value -> new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1))
                    .map(Search::new)
                    .toList();
            inBytes = all;
        }
        return masked(bytes, all);
    }

    private static String masked(String text, List<Search> all) {
        BitSet hidden = new BitSet();
        all.forEach(search -> search.mark(text, hidden));
        if (hidden.isEmpty()) {
            return text;
        }
        StringBuilder masked = new StringBuilder(text.length());
        int copied = 0;
        for (int from = hidden.nextSetBit(0); from >= 0; from = hidden.nextSetBit(copied)) {
            masked.append(text, copied, from).append(Redaction.MASK);
            copied = hidden.nextClearBit(from);
        }
        return masked.append(text, copied, text.length()).toString();
    }

    /** A search for one value by the algorithm of Knuth, Morris and Pratt. */
    private static final class Search {
        private final String value;
        /**
         * The element at index n describes the first n characters of the value. It is the length of their longest
         * proper suffix that is also a prefix of the value.
         */
        private final int[] borders;

        Search(String value) {
            this.value = value;
            this.borders = new int[value.length() + 1];
            int matched = 0;
            for (int i = 1; i < value.length(); i++) {
                matched = next(matched, value.charAt(i));
                borders[i + 1] = matched;
            }
        }

        private int next(int matched, char c) {
            int length = matched;
            while (length > 0 && (length == value.length() || value.charAt(length) != c)) {
                length = borders[length];
            }
            return value.charAt(length) == c ? length + 1 : 0;
        }

        /** Marks all occurrences of the value, including overlapping occurrences. */
        void mark(String text, BitSet hidden) {
            int matched = 0;
            int marked = 0;
            for (int i = 0; i < text.length() && value.length() <= text.length(); i++) {
                matched = next(matched, text.charAt(i));
                if (matched == value.length()) {
                    hidden.set(Math.max(marked, i + 1 - matched), i + 1);
                    marked = i + 1;
                }
            }
        }
    }
}
