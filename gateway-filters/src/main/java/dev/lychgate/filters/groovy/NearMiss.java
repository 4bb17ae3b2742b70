package dev.lychgate.filters.groovy;

import java.util.Collection;
import java.util.Locale;
import org.codehaus.groovy.runtime.MethodRankHelper;
import org.jspecify.annotations.Nullable;

/** Finds the word that was probably meant. */
public final class NearMiss {
    /** The most letters that are inserted, left out or replaced in a slip. */
    private static final int MOST_EDITS = 2;
    /** What {@link MethodRankHelper} counts for one of them. */
    private static final int EDIT = 10;

    private NearMiss() {}

    /** The one of {@code known} nearest to {@code word} that is near enough to be a slip, or null. */
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

    /** {@code stripPrefix}, {@code strip_prefix} and {@code strip-prefix} are the same slip. */
    private static Object[] letters(String word) {
        String cut = word.length() > 64 ? word.substring(0, 64) : word;
        String plain = cut.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
        return plain.chars().mapToObj(letter -> (char) letter).toArray();
    }
}
