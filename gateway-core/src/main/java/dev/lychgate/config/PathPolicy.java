package dev.lychgate.config;

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
            Key.flag("allow-encoded-slash", false).about("`%2F` stays encoded and is passed on");
    private static final Key<Boolean> ALLOW_BACKSLASH =
            Key.flag("allow-backslash", false).about("`\\` and `%5C` are passed on, as `%5C`");
    private static final Key<Boolean> ALLOW_CONTROL = Key.flag("allow-control", false)
            .about("encoded control bytes (`%00` to `%1F`, `%7F`) stay encoded and are passed on");
    private static final Key<Boolean> ALLOW_DOT_PARAMETERS = Key.flag("allow-dot-parameters", false)
            .about("dot segments with parameters (`..;x/`) are passed on as ordinary segments");
    private static final Key<Boolean> ALLOW_ABOVE_ROOT =
            Key.flag("allow-above-root", false).about("dot segments that climb above the root stop at the root");
    private static final Key<Boolean> ALLOW_NON_ASCII = Key.flag("allow-non-ascii", false)
            .about("overlong UTF-8 (`%C0%AF` for a slash) is passed on, which old decoders take for ASCII; "
                    + "bytes outside ASCII that are not percent-encoded are always refused (RFC 9112, 3.2)");
    private static final Key<ParameterPolicy> PARAMETERS = Key.choice(
                    "parameters", ParameterPolicy.AUTO, ParameterPolicy::text)
            .about("how [path parameters](#guarded-routes) (`;a=b`, also as `%3B`) are treated");

    static final Keys<PathPolicy> KEYS = Keys.of(
            PathPolicy::new,
            ALLOW_ENCODED_SLASH,
            ALLOW_BACKSLASH,
            ALLOW_CONTROL,
            ALLOW_DOT_PARAMETERS,
            ALLOW_ABOVE_ROOT,
            ALLOW_NON_ASCII,
            PARAMETERS);

    public static final PathPolicy STRICT = KEYS.defaults();

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
