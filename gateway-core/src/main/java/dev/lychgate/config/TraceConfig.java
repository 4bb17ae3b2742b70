package dev.lychgate.config;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which exchanges have their filters traced: those whose request knows the secret, and those that match.
 *
 * @param header the field that carries the secret; never sent on; default x-lychgate-trace
 * @param secret what the field must hold; null = no request is traced for its field
 * @param match what else is traced; null = nothing
 * @param respond whether the client gets the trace in the same field of its answer, besides the log; only if the request
 *     knew the secret; default true
 */
public record TraceConfig(
        String header, @Nullable String secret, @Nullable MatchConfig match, boolean respond) {
    /** Shorter ones are found by trying. */
    private static final int SHORTEST_SECRET = 16;

    private static final int LONGEST_SECRET = 256;

    /** Fields that a message can't do without, or that say for whom it is. */
    private static final Set<String> NEEDED = Set.of(
            "connection",
            "content-length",
            "transfer-encoding",
            "te",
            "trailer",
            "upgrade",
            "keep-alive",
            "proxy-connection",
            "host");

    /** Nothing is traced, and nothing is looked at. */
    public static final TraceConfig OFF = new TraceConfig("x-lychgate-trace", null, null, true);

    public TraceConfig {
        Expect.that(header.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+"), "header", header, "a header field name");
        // It is taken off every request, and may be set on answers.
        Expect.that(
                !NEEDED.contains(header.toLowerCase(Locale.ROOT)),
                "header",
                header,
                "no field of framing, routing or connection");
        Expect.that(
                secret == null
                        || (secret.length() >= SHORTEST_SECRET
                                && secret.length() <= LONGEST_SECRET
                                && secret.chars().allMatch(c -> c > 0x20 && c < 0x7f)),
                "secret",
                "***",
                SHORTEST_SECRET + " to " + LONGEST_SECRET + " characters of ASCII without blanks");
    }

    public boolean isOff() {
        return secret == null && match == null;
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "TraceConfig[header=" + header + ", secret=" + (secret == null ? "none" : "***") + ", match=" + match
                + ", respond=" + respond + "]";
    }
}
