package dev.lychgate.filter;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses media types of {@code Content-Type}, without their parameters (RFC 9110, 8.3.1). */
final class MediaType {
    private static final Pattern SYNTAX = Pattern.compile("[\\w!#$%&'*+.^`|~-]+/[\\w!#$%&'*+.^`|~-]+");

    private MediaType() {}

    /**
     * Returns the type that all fields have in common, in lower case; null if there is no field, if a field is
     * malformed, or if the fields differ.
     */
    static @Nullable String of(List<String> fields) {
        String only = null;
        for (String field : fields) {
            int end = field.indexOf(';');
            String type = (end < 0 ? field : field.substring(0, end)).strip().toLowerCase(Locale.ROOT);
            if (!SYNTAX.matcher(type).matches() || (only != null && !only.equals(type))) {
                return null;
            }
            only = type;
        }
        return only;
    }
}
