package dev.lychgate.filters.groovy;

import java.util.Collection;
import java.util.Locale;
import org.codehaus.groovy.runtime.MethodRankHelper;
import org.jspecify.annotations.Nullable;

/** Finds the known word that is most similar to a misspelled word. */
public final class NearMiss {
    /** The maximum number of inserted, omitted or replaced letters. */
    private static final int MOST_EDITS = 2;
    /** The cost of one inserted, omitted or replaced letter in {@link MethodRankHelper}. */
    private static final int EDIT = 10;

    private NearMiss() {}

    /** Returns the known word that is most similar to {@code word}; null if no known word is similar enough. */
    public static @Nullable String of(String word, Collection<String> known) {
        Object[] plain = letters(word);
        String best = null;
        int least = Math.min(MOST_EDITS, plain.length / 3) * EDIT + 1;
        for (String candidate : known) {
            int distance = MethodRankHelper.damerauLevenshteinDistance(plain, letters(candidate));
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return best;
    }

    /**
     * Returns the letters of a word in lower case. The result is the same for {@code stripPrefix}, {@code strip_prefix}
     * and {@code strip-prefix}.
     */
    private static Object[] letters(String word) {
        String cut = word.length() > 64 ? word.substring(0, 64) : word;
        String plain = cut.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
        return plain.chars().mapToObj(letter -> (char) letter).toArray();
    }
}
