package dev.lychgate.http;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The parameters of a query, {@code a=1&b=2}, percent-decoded as UTF-8; a plus sign is a plus sign. */
public final class QueryParameters {
    private QueryParameters() {}

    /** All values of {@code name}, in order; a parameter without an equals sign has the empty value. */
    public static List<String> of(@Nullable String query, String name) {
        List<String> values = new ArrayList<>();
        anyMatch(query, name, value -> !values.add(value));
        return values;
    }

    /** Whether a value of {@code name} satisfies {@code condition}. */
    public static boolean anyMatch(@Nullable String query, String name, Predicate<? super String> condition) {
        int from = 0;
        while (query != null && from < query.length()) {
            int and = query.indexOf('&', from);
            int end = and < 0 ? query.length() : and;
            int equals = query.indexOf('=', from);
            int nameEnd = equals < 0 || equals > end ? end : equals;
            if (end > from
                    && PercentDecoded.equals(query, from, nameEnd, name)
                    && condition.test(PercentDecoded.text(query, Math.min(nameEnd + 1, end), end))) {
                return true;
            }
            from = end + 1;
        }
        return false;
    }
}
