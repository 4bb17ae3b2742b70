package dev.lychgate.route;

import java.util.Collection;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts claims of an identity to text, for predicates, keys of rate limits and header fields. */
public final class ClaimText {
    private ClaimText() {}

    /**
     * Returns a claim as text: a text, number or flag itself, or the elements of a list of words, joined by blanks.
     *
     * @return null if there is no claim, or if it is an object or a list of other elements
     */
    public static @Nullable String of(@Nullable Object claim) {
        return claim instanceof Collection<?> list ? joined(list) : single(claim);
    }

    private static @Nullable String joined(Collection<?> list) {
        // An element with a blank could not be distinguished from two elements.
        boolean words =
                list.stream().allMatch(each -> each instanceof String text && !text.isEmpty() && text.indexOf(' ') < 0);
        return words && !list.isEmpty() ? list.stream().map(String::valueOf).collect(Collectors.joining(" ")) : null;
    }

    private static @Nullable String single(@Nullable Object claim) {
        if (claim instanceof Number number) {
            boolean whole = number.doubleValue() == number.longValue();
            return whole ? Long.toString(number.longValue()) : number.toString();
        }
        return claim instanceof String || claim instanceof Boolean ? claim.toString() : null;
    }

    /** Returns whether a claim, or one element of a list, satisfies a condition. */
    static boolean anyMatch(@Nullable Object claim, Predicate<? super String> condition) {
        if (claim instanceof Collection<?> list) {
            for (Object each : list) {
                String text = single(each);
                if (text != null && condition.test(text)) {
                    return true;
                }
            }
            return false;
        }
        String text = single(claim);
        return text != null && condition.test(text);
    }
}
