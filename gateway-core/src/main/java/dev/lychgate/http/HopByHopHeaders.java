package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Removes hop-by-hop fields, which apply to one connection and are never forwarded.
 *
 * <p>Senders may nominate additional fields in {@code Connection}. The nominated fields are also removed. Exceptions
 * are fields that determine framing or routing, and fields that record the client: the nomination of {@code
 * X-Forwarded-For} by a client is a known attack.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1">RFC 9110, 7.6.1 Connection</a>
 */
public final class HopByHopHeaders {
    private static final AsciiString KEEP_ALIVE = AsciiString.cached("keep-alive");
    private static final AsciiString PROXY_CONNECTION = AsciiString.cached("proxy-connection");
    private static final List<AsciiString> OF_ONE_CONNECTION = List.of(
            HttpHeaderNames.CONNECTION,
            KEEP_ALIVE,
            PROXY_CONNECTION,
            HttpHeaderNames.TE,
            HttpHeaderNames.TRANSFER_ENCODING,
            HttpHeaderNames.UPGRADE,
            HttpHeaderNames.PROXY_AUTHENTICATE,
            HttpHeaderNames.PROXY_AUTHORIZATION);

    private static final Set<String> NOT_NOMINABLE = Set.of(
            "connection",
            "content-length",
            "transfer-encoding",
            "host",
            "via",
            // Headers in which large content delivery networks record the client.
            "cf-connecting-ip",
            "fastly-client-ip",
            "true-client-ip",
            "x-client-ip");

    private HopByHopHeaders() {}

    /** Removes the hop-by-hop fields from {@code headers}. */
    public static void strip(HttpHeaders headers) {
        strip(headers, headers.getAll(HttpHeaderNames.CONNECTION));
    }

    /**
     * Removes the hop-by-hop fields from {@code headers}, for callers that have already read the values of Connection.
     *
     * @param connection the values of Connection in {@code headers}
     */
    public static void strip(HttpHeaders headers, List<String> connection) {
        stripNominated(headers, connection);
        // The code has no loop over names: it runs for every message, and the JIT compiler optimizes lookups of
        // constant names.
        headers.remove(HttpHeaderNames.CONNECTION);
        headers.remove(KEEP_ALIVE);
        headers.remove(PROXY_CONNECTION);
        headers.remove(HttpHeaderNames.TE);
        headers.remove(HttpHeaderNames.TRANSFER_ENCODING);
        headers.remove(HttpHeaderNames.UPGRADE);
        headers.remove(HttpHeaderNames.PROXY_AUTHENTICATE);
        headers.remove(HttpHeaderNames.PROXY_AUTHORIZATION);
    }

    /**
     * Removes from {@code fields} all fields that {@code connection} nominates. The list {@code fields} contains the
     * header fields or the trailers of a message. The list {@code connection} contains the values of Connection in the
     * header section of this message.
     */
    static void stripNominated(HttpHeaders fields, List<String> connection) {
        for (String value : connection) {
            if (isPlain(value)) {
                continue;
            }
            for (String option : value.split(",", -1)) {
                String name = option.trim().toLowerCase(Locale.ROOT);
                if (isNominable(name)) {
                    fields.remove(name);
                }
            }
        }
    }

    /** Returns whether an origin may read {@code name} as a hop-by-hop field; {@link FieldNames} compares the names. */
    static boolean isOfOneConnection(CharSequence name) {
        for (AsciiString field : OF_ONE_CONNECTION) {
            if (FieldNames.isAlike(name, field.toString())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNominable(String name) {
        return !name.isEmpty() && !NOT_NOMINABLE.contains(name) && !ForwardingFields.contains(name);
    }

    /**
     * Returns whether {@code value} is one of the two most frequent values of Connection. These two values nominate
     * only fields that are always removed.
     */
    private static boolean isPlain(String value) {
        return value.equalsIgnoreCase("keep-alive") || value.equalsIgnoreCase("close");
    }
}
