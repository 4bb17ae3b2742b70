package dev.lychgate.config;

import static dev.lychgate.config.Key.choice;
import static dev.lychgate.config.Key.flag;

/**
 * Which unsafe paths a listener lets through; each is refused with 400 by default. Raw control bytes are refused under
 * every policy.
 */
public record PathPolicy(
        boolean allowEncodedSlash,
        boolean allowBackslash,
        boolean allowControl,
        boolean allowDotParameters,
        boolean allowAboveRoot,
        boolean allowNonAscii,
        ParameterPolicy parameters) {
    private static final Key<Boolean> ALLOW_ENCODED_SLASH =
            flag("allow-encoded-slash", false).about("`%2F` stays encoded and is passed on");
    private static final Key<Boolean> ALLOW_BACKSLASH =
            flag("allow-backslash", false).about("`\\` and `%5C` are passed on, as `%5C`");
    private static final Key<Boolean> ALLOW_CONTROL = flag("allow-control", false)
            .about("encoded control bytes (`%00` to `%1F`, `%7F`) stay encoded and are passed on");
    private static final Key<Boolean> ALLOW_DOT_PARAMETERS = flag("allow-dot-parameters", false)
            .about("dot segments with parameters (`..;x/`) are passed on as ordinary segments");
    private static final Key<Boolean> ALLOW_ABOVE_ROOT =
            flag("allow-above-root", false).about("dot segments that climb above the root stop at the root");
    private static final Key<Boolean> ALLOW_NON_ASCII = flag("allow-non-ascii", false)
            .about("overlong UTF-8 (`%C0%AF` for a slash) is passed on, which old decoders take for ASCII; "
                    + "bytes outside ASCII that are not percent-encoded are always refused (RFC 9112, 3.2)");
    private static final Key<ParameterPolicy> PARAMETERS = choice(
                    "parameters", ParameterPolicy.AUTO, ParameterPolicy::text)
            .about("how [path parameters](#guarded-routes) (`;a=b`, also as `%3B`) are treated");

    public static final PathPolicy STRICT = read(Key.DEFAULTS);

    /** Reads a section. */
    static PathPolicy read(Key.Values values) {
        return new PathPolicy(
                values.get(ALLOW_ENCODED_SLASH),
                values.get(ALLOW_BACKSLASH),
                values.get(ALLOW_CONTROL),
                values.get(ALLOW_DOT_PARAMETERS),
                values.get(ALLOW_ABOVE_ROOT),
                values.get(ALLOW_NON_ASCII),
                values.get(PARAMETERS));
    }

    /** With path parameters as by default. */
    public PathPolicy(
            boolean allowEncodedSlash,
            boolean allowBackslash,
            boolean allowControl,
            boolean allowDotParameters,
            boolean allowAboveRoot,
            boolean allowNonAscii) {
        this(
                allowEncodedSlash,
                allowBackslash,
                allowControl,
                allowDotParameters,
                allowAboveRoot,
                allowNonAscii,
                ParameterPolicy.AUTO);
    }
}
