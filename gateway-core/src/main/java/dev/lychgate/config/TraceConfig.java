package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * Which exchanges have their filters traced: those whose request knows the secret, and those that match.
 */
public record TraceConfig(
        String header, @Nullable String secret, @Nullable MatchConfig match, boolean respond) {
    private static final Key<String> HEADER = Key.typed("header", Form.FIELD_NAME, "x-lychgate-trace")
            .about("the request field that carries the secret; taken off every request; none of framing or connection");

    private static final Key<String> SECRET = Key.typed("secret", Form.SECRET, null)
            .matching(Form.SECRET_RULE)
            .about("what the field must hold; 16 to 256 characters of ASCII without blanks; without it no field "
                    + "turns a trace on");
    private static final Key<MatchConfig> MATCH = Key.section("match", null, MatchConfig::requests)
            .absent("no request")
            .about("requests that are traced besides; everything said must hold");
    private static final Key<Boolean> RESPOND = Key.flag("respond", true)
            .about("whether a client that knows the secret gets the trace in the same field of its answer, "
                    + "besides the log");

    static final Keys<TraceConfig> KEYS = Keys.of(TraceConfig::new, HEADER, SECRET, MATCH, RESPOND);

    /** Nothing is traced, and nothing is looked at. */
    public static final TraceConfig OFF = KEYS.defaults();

    public TraceConfig {
        KEYS.check(header, secret, match, respond);
        // It is taken off every request, and may be set on answers.
        Expect.that(!OwnFields.isReserved(header), "header", header, "no field of framing, routing or connection");
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
