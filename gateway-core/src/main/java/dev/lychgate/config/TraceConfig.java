package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * Selects the exchanges in which the gateway traces filters. An exchange is selected if its request contains the
 * configured secret or matches the configured predicates.
 */
public record TraceConfig(
        String header, @Nullable String secret, @Nullable MatchConfig match, boolean respond) {
    private static final Key<String> HEADER = Key.typed("header", Form.FIELD_NAME, "x-lychgate-trace")
            .about("the request field that contains the secret; the gateway removes this field from every request; "
                    + "must not be a field of framing or connection");

    private static final Key<String> SECRET = Key.typed("secret", Form.SECRET, null)
            .matching(Form.SECRET_RULE)
            .about("the secret that the field must contain; 16 to 256 characters of ASCII without blanks; without a "
                    + "secret, no header field enables a trace");
    private static final Key<MatchConfig> MATCH = Key.section("match", null, MatchConfig::requests)
            .absent("no request")
            .about("the predicates of further requests whose filters are traced; a request must match all of them");
    private static final Key<Boolean> RESPOND = Key.flag("respond", true)
            .about("whether a client that sends the secret receives the trace in the same field of its "
                    + "response, in addition to the log");

    static final Keys<TraceConfig> KEYS = Keys.of(TraceConfig::new, HEADER, SECRET, MATCH, RESPOND);

    /** No tracing. */
    public static final TraceConfig OFF = KEYS.defaults();

    public TraceConfig {
        KEYS.check(header, secret, match, respond);
        // The gateway removes this field from every request and may set it on responses.
        Expect.that(
                !OwnFields.isReserved(header),
                "header",
                header,
                "a field that does not concern framing, routing or the connection");
    }

    public boolean isOff() {
        return secret == null && match == null;
    }

    /** Omits the secret. */
    @Override
    public String toString() {
        return "TraceConfig[header=" + header + ", secret=" + (secret == null ? "none" : "***") + ", match=" + match
                + ", respond=" + respond + "]";
    }
}
