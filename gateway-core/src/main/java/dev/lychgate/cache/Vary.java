package dev.lychgate.cache;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The request fields that select a stored response, with their values. White space around commas, and the division into
 * field lines, do not affect the comparison of values.
 *
 * @param names the names in lower case, sorted and unique
 * @param values the normalized values; null for a field that the request did not contain
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9111#section-4.1">RFC 9111, 4.1 Calculating Cache Keys with the Vary
 *     Header Field</a>
 */
record Vary(List<String> names, List<@Nullable String> values) {
    /** The value for a response that does not depend on request fields. */
    static final Vary NONE = new Vary(List.of(), List.of());

    /** Fields that the gateway sets from the scheme and the host, both of which are parts of every key. */
    private static final Set<String> IN_KEY =
            Set.of("x-forwarded-proto", "x-forwarded-host", "x-forwarded-port", "host");

    /**
     * Returns the request fields that the response names in {@code Vary}, with their values.
     *
     * @param request the fields of the request at the time of the search in the cache
     * @param forwarded the fields of the request that the origin received
     * @return null if the gateway can't determine for which later requests the response is usable. The reason is that
     *     the response varies on everything, or on a field that the gateway has set or changed after the search, such
     *     as the address of the client
     */
    static @Nullable Vary of(HttpHeaders response, HttpHeaders request, HttpHeaders forwarded) {
        List<String> fields = response.getAll(HttpHeaderNames.VARY);
        if (fields.isEmpty()) {
            return NONE;
        }
        List<String> names = new ArrayList<>();
        for (String field : fields) {
            for (String member : field.split(",", -1)) {
                String name = member.strip().toLowerCase(Locale.ROOT);
                if (name.equals("*")) {
                    return null;
                }
                if (!name.isEmpty() && !names.contains(name) && !IN_KEY.contains(name)) {
                    names.add(name);
                }
            }
        }
        names.sort(null);
        List<@Nullable String> values = new ArrayList<>(names.size());
        for (String name : names) {
            String value = normalized(request, name);
            if (!Objects.equals(value, normalized(forwarded, name))) {
                return null;
            }
            values.add(value);
        }
        return names.isEmpty() ? NONE : new Vary(names, values);
    }

    /** Returns whether a request with these fields has the values that select the response. */
    boolean matches(HttpHeaders request) {
        for (int i = 0; i < names.size(); i++) {
            if (!Objects.equals(values.get(i), normalized(request, names.get(i)))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the values of the selecting fields in a request as a text; empty if there are no selecting fields. */
    String valuesOf(HttpHeaders request) {
        StringBuilder text = new StringBuilder();
        for (String name : names) {
            // A field contains no line break, so no value can imitate another value.
            text.append('\n').append(name).append('=').append(normalized(request, name));
        }
        return text.toString();
    }

    static @Nullable String normalized(HttpHeaders headers, String name) {
        List<String> fields = headers.getAll(name);
        if (fields.isEmpty()) {
            return null;
        }
        if (fields.size() == 1 && fields.get(0).indexOf(',') < 0) {
            return fields.get(0).strip();
        }
        String all = String.join(",", fields);
        if (all.indexOf('"') >= 0) {
            // White space in a quoted text belongs to the text.
            return all.strip();
        }
        StringBuilder joined = new StringBuilder();
        for (String member : all.split(",", -1)) {
            joined.append(joined.isEmpty() ? "" : ",").append(member.strip());
        }
        return joined.toString();
    }

    /** Returns the memory of the names and values, in bytes. */
    int size() {
        int bytes = 0;
        for (int i = 0; i < names.size(); i++) {
            String value = values.get(i);
            bytes += 96 + names.get(i).length() + (value == null ? 0 : value.length());
        }
        return bytes;
    }
}
