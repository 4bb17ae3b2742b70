package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Set;

/**
 * Removes trailer fields that must not follow the content: fields for framing, routing, authentication and content
 * handling, and fields that describe the client. A recipient that merges trailers into its header section would trust
 * such fields. All other trailers are forwarded as trailers.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-6.5.1">RFC 9110, 6.5.1 Limitations on Use of Trailers</a>
 */
public final class TrailerFields {
    /** Prefix of the fields that this gateway defines, such as the field that requests a filter trace. */
    private static final String OWN = "x-lychgate";

    private static final Set<String> FORBIDDEN = FieldNames.set("""
        trailer host content-length content-encoding content-type content-range via authorization
        www-authenticate cookie set-cookie cache-control expect max-forwards pragma range if-match
        if-none-match if-modified-since if-unmodified-since if-range age expires date location retry-after
        vary warning
        """);

    private TrailerFields() {}

    /**
     * Removes the fields that a trailer section must not contain, in any spelling that {@link FieldNames} recognizes.
     * Also removes the fields that belong to one connection.
     *
     * @param connection the values of Connection in the message's header section
     */
    public static void strip(HttpHeaders trailers, List<String> connection) {
        if (!trailers.isEmpty()) {
            HopByHopHeaders.stripNominated(trailers, connection);
            FieldNames.removeIf(trailers, TrailerFields::isForbidden);
        }
    }

    /** Returns whether a trailer section must not contain the field. */
    public static boolean isForbidden(CharSequence name) {
        return ForwardingFields.contains(name)
                || ForwardingFields.isProxy(name)
                || HopByHopHeaders.isOfOneConnection(name)
                || FieldNames.beginsAlike(name, OWN)
                || FORBIDDEN.contains(FieldNames.fold(name));
    }
}
