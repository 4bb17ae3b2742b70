package dev.lychgate.route;

import java.util.Collection;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts claims of an identity to text, for predicates, keys of rate limits and header fields. */
public final class ClaimText {
    private ClaimText() {}

    /**
     * Converts a claim to text. A list of words becomes the words, joined by blanks. A text, number or flag becomes its
     * text form.
     *
     * @return null if there is no claim, or if the claim is an object or a list with elements that are not words
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

    /**
     * Returns whether a claim satisfies a condition. If the claim is a list, at least one of its elements must satisfy
     * the condition.
     */
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
