package dev.lychgate.config;

import java.util.Locale;
import java.util.Set;

/** The header fields that the gateway itself writes. The case of names is ignored. */
public final class OwnFields {
    private static final Set<String> RESERVED = Set.of(
            "connection",
            "content-length",
            "transfer-encoding",
            "te",
            "trailer",
            "upgrade",
            "keep-alive",
            "proxy-connection",
            // Expect and 100 Continue are negotiated separately on each side of the gateway.
            "expect",
            "host");

    private static final Set<String> TOLD = Set.of(
            "forwarded",
            "proxy-authenticate",
            "proxy-authorization",
            "via",
            "x-lychgate-mirror",
            "x-forwarded-for",
            "x-forwarded-host",
            "x-forwarded-port",
            "x-forwarded-proto",
            "x-request-id");

    private OwnFields() {}

    /**
     * Returns whether the field describes the framing or the target of a message, or the persistence of the connection.
     * Only the gateway writes such fields.
     */
    public static boolean isReserved(CharSequence name) {
        return RESERVED.contains(lowerCase(name));
    }

    /**
     * Returns whether the field describes the client or the forwarding path. Filters may write such fields, but the
     * configuration must not set them.
     */
    static boolean isTold(CharSequence name) {
        return TOLD.contains(lowerCase(name));
    }

    private static String lowerCase(CharSequence name) {
        return name.toString().toLowerCase(Locale.ROOT);
    }
}
