package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Compares field names in the same way as origins with a CGI-like interface. Such an interface maps {@code X-Real-IP}
 * and {@code X_Real_IP} to the same variable. Some servers treat every special character of a token like a hyphen. If
 * only a proxy may set a field, the gateway must therefore recognize all these spellings of the name of the field.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc3875#section-4.1.18">RFC 3875, 4.1.18 Protocol-Specific
 *     Meta-Variables</a>
 */
public final class FieldNames {
    private FieldNames() {}

    /** Returns the whitespace-separated names in {@code text}. */
    static Set<String> set(String text) {
        return Set.of(text.strip().split("\\s+", -1));
    }

    /**
     * Returns whether an origin may read {@code name} as {@code field}. The caller passes {@code field} in lower case
     * with hyphens.
     */
    public static boolean isAlike(CharSequence name, String field) {
        return name.length() == field.length() && beginsAlike(name, field);
    }

    /**
     * Returns whether an origin may read {@code one} and {@code other} as the same name. Both names may contain capital
     * letters and special characters.
     */
    public static boolean areAlike(CharSequence one, CharSequence other) {
        if (one.length() != other.length()) {
            return false;
        }
        for (int i = 0; i < one.length(); i++) {
            if (fold(one.charAt(i)) != fold(other.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether an origin may read {@code name} as one of {@code fields}; does not allocate. */
    public static boolean isAlikeAny(CharSequence name, List<String> fields) {
        for (String field : fields) {
            if (isAlike(name, field)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether an origin may read the start of {@code name} as {@code beginning}. The caller passes {@code
     * beginning} in lower case with hyphens.
     */
    public static boolean beginsAlike(CharSequence name, String beginning) {
        if (name.length() < beginning.length()) {
            return false;
        }
        for (int i = 0; i < beginning.length(); i++) {
            if (fold(name.charAt(i)) != beginning.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether {@code name} has only letters, digits and hyphens. Such a name has no alternative spelling. */
    public static boolean isPlain(CharSequence name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c != '-' && fold(c) == '-') {
                return false;
            }
        }
        return true;
    }

    /** Returns {@code name} in lower case, with a hyphen for every character that is neither a letter nor a digit. */
    public static String fold(CharSequence name) {
        StringBuilder folded = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            folded.append(fold(name.charAt(i)));
        }
        return folded.toString();
    }

    private static char fold(char c) {
        char lower = (char) HttpBytes.lower(c);
        boolean plain = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
        return plain ? lower : '-';
    }

    /** Removes the fields of {@code headers} with names that satisfy {@code condition}. */
    public static void removeIf(HttpHeaders headers, Predicate<CharSequence> condition) {
        List<CharSequence> found = null;
        Iterator<Map.Entry<CharSequence, CharSequence>> fields = headers.iteratorCharSequence();
        while (fields.hasNext()) {
            CharSequence name = fields.next().getKey();
            if (condition.test(name)) {
                found = add(found, name);
            }
        }
        if (found != null) {
            found.forEach(headers::remove);
        }
    }

    private static List<CharSequence> add(@Nullable List<CharSequence> found, CharSequence name) {
        List<CharSequence> names = found == null ? new ArrayList<>() : found;
        names.add(name);
        return names;
    }
}
