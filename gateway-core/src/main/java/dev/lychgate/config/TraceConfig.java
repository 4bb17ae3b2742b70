package dev.lychgate.config;

import static dev.lychgate.config.Key.flag;
import static dev.lychgate.config.Key.section;
import static dev.lychgate.config.Key.typed;

import org.jspecify.annotations.Nullable;

/**
 * Which exchanges have their filters traced: those whose request knows the secret, and those that match.
 */
public record TraceConfig(
        String header, @Nullable String secret, @Nullable MatchConfig match, boolean respond) {
    private static final Key<String> HEADER = typed("header", Form.FIELD_NAME, "x-lychgate-trace")
            .about("the request field that carries the secret; taken off every request; none of framing or connection");

    private static final Key<String> SECRET = typed("secret", Form.SECRET, null)
            .matching(Form.SECRET_RULE)
            .about("what the field must hold; 16 to 256 characters of ASCII without blanks; without it no field "
                    + "turns a trace on");
    private static final Key<MatchConfig> MATCH = section("match", null, MatchConfig::requests)
            .absent("no request")
            .about("requests that are traced besides; everything said must hold");
    private static final Key<Boolean> RESPOND = flag("respond", true)
            .about("whether a client that knows the secret gets the trace in the same field of its answer, "
                    + "besides the log");

    /** Nothing is traced, and nothing is looked at. */
    public static final TraceConfig OFF = read(Key.DEFAULTS);

    public TraceConfig {
        HEADER.check(header);
        SECRET.check(secret);
        // It is taken off every request, and may be set on answers.
        Expect.that(!OwnFields.isReserved(header), "header", header, "no field of framing, routing or connection");
    }

    /** Reads a section. */
    static TraceConfig read(Key.Values values) {
        return new TraceConfig(values.get(HEADER), values.get(SECRET), values.get(MATCH), values.get(RESPOND));
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
