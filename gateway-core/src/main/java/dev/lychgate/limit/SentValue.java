package dev.lychgate.limit;

import dev.lychgate.config.LimitKey;
import dev.lychgate.http.Cookies;
import dev.lychgate.http.FieldNames;
import dev.lychgate.http.QueryParameters;
import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a value that the client has sent and that is a part of the key of a rate limit. If a request contains several
 * different values, this class returns no value, because origins differ in which value they use. If this class returned
 * one of these values, a client could add an invented value to each request, and thus use a new bucket for each
 * request.
 */
final class SentValue {
    private SentValue() {}

    /** Returns the only value of {@code part}; null if the request contains no value, or several different values. */
    static @Nullable String of(LimitKey part, RequestHead head) {
        return switch (part.source()) {
            case HEADER -> header(head.headers(), part.name());
            case COOKIE -> only(Cookies.values(head.headers(), part.name()));
            case QUERY -> only(QueryParameters.of(head.query(), part.name()));
            case CLIENT, ROUTE, CLAIM -> null;
        };
    }

    private static @Nullable String only(List<String> values) {
        for (int i = 1; i < values.size(); i++) {
            if (!values.get(i).equals(values.get(0))) {
                return null;
            }
        }
        return values.isEmpty() ? null : values.get(0);
    }

    /**
     * Returns the only value of a header field, in any spelling of its name: some origins read {@code X_Tenant} as
     * {@code X-Tenant}. Returns null if there is no value, or if there are several different values.
     */
    private static @Nullable String header(HttpHeaders headers, String name) {
        String only = null;
        Iterator<Map.Entry<CharSequence, CharSequence>> fields = headers.iteratorCharSequence();
        while (fields.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = fields.next();
            if (FieldNames.areAlike(field.getKey(), name)) {
                String value = field.getValue().toString();
                if (only != null && !only.equals(value)) {
                    return null;
                }
                only = value;
            }
        }
        return only != null && isCredentials(name) ? credentials(only) : only;
    }

    private static boolean isCredentials(String name) {
        return name.equalsIgnoreCase("authorization") || name.equalsIgnoreCase("proxy-authorization");
    }

    /**
     * Returns credentials in a uniform form. The case of the scheme, and the number of blanks after the scheme, have no
     * meaning.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-11.4">RFC 9110, 11.4 Credentials</a>
     */
    private static String credentials(String value) {
        int blank = value.indexOf(' ');
        return blank < 0
                ? value
                : value.substring(0, blank).toLowerCase(Locale.ROOT)
                        + ' '
                        + value.substring(blank).strip();
    }
}
