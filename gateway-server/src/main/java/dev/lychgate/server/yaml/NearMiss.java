package dev.lychgate.server.yaml;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the word that was probably meant. */
public final class NearMiss {
    private NearMiss() {}

    /** The one of {@code known} nearest to {@code word} that is near enough to be a slip, or null. */
    public static @Nullable String of(String word, Collection<String> known) {
        String plain = plain(word);
        String best = null;
        int least = Math.min(2, plain.length() / 3) + 1;
        for (String candidate : known) {
            int distance = distance(plain, plain(candidate));
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return best;
    }

    /** {@code stripPrefix}, {@code strip_prefix} and {@code strip-prefix} are the same slip. */
    private static String plain(String word) {
        String cut = word.length() > 64 ? word.substring(0, 64) : word;
        return cut.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    }

    /** Edits between two words: insert, delete, replace, or swap of neighbours (optimal string alignment). */
    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            d[i][0] = i;
        }
        for (int j = 0; j <= b.length(); j++) {
            d[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            for (int j = 1; j <= b.length(); j++) {
                int replace = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + replace);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
