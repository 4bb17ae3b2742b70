package dev.lychgate.config;

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
    /** Nothing is traced, and nothing is looked at. */
    public static final TraceConfig OFF = new TraceConfig("x-lychgate-trace", null, null, true);

    public TraceConfig {
        Expect.fieldName("header", header);
        // It is taken off every request, and may be set on answers.
        Expect.that(!OwnFields.isReserved(header), "header", header, "no field of framing, routing or connection");
        if (secret != null) {
            Expect.secret("secret", secret);
        }
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
