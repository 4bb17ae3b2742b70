package dev.lychgate.config;

/**
 * The kinds of unsafe paths that a listener accepts. By default, each kind is rejected with 400. Raw control bytes are
 * rejected under every policy.
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
            Key.flag("allow-encoded-slash", false).about("forwards `%2F` in its encoded form");
    private static final Key<Boolean> ALLOW_BACKSLASH =
            Key.flag("allow-backslash", false).about("forwards `\\` and `%5C`, both as `%5C`");
    private static final Key<Boolean> ALLOW_CONTROL = Key.flag("allow-control", false)
            .about("forwards encoded control bytes (`%00` to `%1F`, `%7F`) in their encoded form");
    private static final Key<Boolean> ALLOW_DOT_PARAMETERS = Key.flag("allow-dot-parameters", false)
            .about("forwards dot segments with parameters (`..;x/`) as ordinary segments");
    private static final Key<Boolean> ALLOW_ABOVE_ROOT =
            Key.flag("allow-above-root", false).about("resolves dot segments above the root to the root");
    private static final Key<Boolean> ALLOW_NON_ASCII = Key.flag("allow-non-ascii", false)
            .about("forwards overlong UTF-8, such as `%C0%AF` for a slash, which old decoders read as ASCII; bytes "
                    + "outside ASCII are always rejected if they are not percent-encoded (RFC 9112, 3.2)");
    private static final Key<ParameterPolicy> PARAMETERS = Key.choice(
                    "parameters", ParameterPolicy.AUTO, ParameterPolicy::text)
            .about("the policy on [path parameters](#guarded-routes), such as `;a=b`, with the semicolon in plain form "
                    + "or encoded as `%3B`");

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

    /** Creates a policy with the default for path parameters. */
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
