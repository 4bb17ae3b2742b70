package dev.lychgate.config;

import java.util.Locale;
import java.util.Set;

/** The names of the fields that the gateway writes itself; in any case. */
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
            // Who waits for leave to send a body, and who gives it, is between the gateway and either side.
            "expect",
            "host");

    private static final Set<String> TOLD = Set.of(
            "forwarded",
            "proxy-authenticate",
            "proxy-authorization",
            "via",
            "x-forwarded-for",
            "x-forwarded-host",
            "x-forwarded-port",
            "x-forwarded-proto",
            "x-request-id");

    private OwnFields() {}

    /** Whether it says how a message is framed, whom it is for or how long its connection lives: nobody else writes those. */
    public static boolean isReserved(CharSequence name) {
        return RESERVED.contains(lowerCase(name));
    }

    /** Whether it tells who has asked, by which way; filters may write those, but nothing else can be meant by them. */
    static boolean isTold(CharSequence name) {
        return TOLD.contains(lowerCase(name));
    }

    private static String lowerCase(CharSequence name) {
        return name.toString().toLowerCase(Locale.ROOT);
    }
}
