package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Trailer sections pass through the gateway as trailers, without the fields that must not come after the content: those
 * that decide framing, routing, authentication or the handling of the content, and those by which the gateway says who
 * really asks. A recipient that merges trailers into its header section would believe them.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-6.5.1">RFC 9110, 6.5.1 Limitations on Use of Trailers</a>
 */
public final class TrailerFields {
    private static final Set<String> FORBIDDEN = Set.of(
            "connection",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "upgrade",
            "transfer-encoding",
            "host",
            "content-length",
            "content-encoding",
            "content-type",
            "content-range",
            "via",
            "forwarded",
            "x-real-ip",
            "x-request-id",
            "authorization",
            "proxy-authorization",
            "proxy-authenticate",
            "www-authenticate",
            "cookie",
            "set-cookie",
            "cache-control",
            "expect",
            "max-forwards",
            "pragma",
            "range",
            "if-match",
            "if-none-match",
            "if-modified-since",
            "if-unmodified-since",
            "if-range",
            "age",
            "expires",
            "date",
            "location",
            "retry-after",
            "vary",
            "warning");

    private TrailerFields() {}

    /** Takes off what may not stand in a trailer section. */
    public static void strip(HttpHeaders trailers) {
        if (trailers.isEmpty()) {
            return;
        }
        for (String name : List.copyOf(trailers.names())) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (FORBIDDEN.contains(lower) || lower.replace('_', '-').startsWith("x-forwarded")) {
                trailers.remove(name);
            }
        }
    }
}
